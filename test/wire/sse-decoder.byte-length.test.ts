import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { byteLength } from '../../src/wire/sse-decoder.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

describe('the bytes of a text', () => {
  it('are those that TextEncoder makes, halves of characters included', () => {
    const unit = fc.constantFrom(
      'a',
      '\u007f',
      '\u0080',
      'ß',
      '\u07ff',
      '\u0800',
      '—',
      '\ud83c',
      '\udf0a',
      '🌊',
      '\uffff',
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join('')
        return byteLength(text) === new TextEncoder().encode(text).byteLength
      }),
      { numRuns: 2_000 },
    )
  })

  it('are counted without making them', () => {
    const encode = vi.spyOn(TextEncoder.prototype, 'encode')
    expect(byteLength('Fluß 🌊')).toBe(10)
    const calls = encode.mock.calls.length
    encode.mockRestore()
    expect(calls).toBe(0)
  })
})
