import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineBuffer, heldBytes, takeLines } from '../../src/wire/sse-decoder.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (piece: Uint8Array | undefined): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece)

describe('the line buffer', () => {
  it('lets whole lines pass and holds the rest, whatever ends a line', () => {
    const gate = createLineBuffer()
    expect(takeLines(gate, bytes('da'))).toBeUndefined()
    expect(heldBytes(gate)).toBe(2)
    expect(text(takeLines(gate, bytes('ta: 1\ndata: 2\n\nid')))).toBe('data: 1\ndata: 2\n\n')
    expect(text(takeLines(gate, bytes(': 1\rdata')))).toBe('id: 1\r')
    expect(text(takeLines(gate, bytes(': 2\n\rdata: 3')))).toBe('data: 2\n\r')
    expect(heldBytes(gate)).toBe(7)
  })

  it('passes on every byte once and in order, and no half line, however the bytes are cut', () => {
    const lines = fc.array(
      fc.tuple(
        fc.string({ unit: fc.constantFrom('a', ':', 'ü', '🌊'), maxLength: 9000 }),
        fc.constantFrom('\n', '\r', '\r\n'),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        lines,
        fc.string({ unit: fc.constantFrom('x', 'ü') }),
        fc.infiniteStream(fc.integer({ min: 1, max: 6000 })),
        (whole, rest, sizes) => {
          const stream = bytes(whole.flat().join('') + rest)
          const gate = createLineBuffer()
          let passed = ''
          for (let at = 0; at < stream.length;) {
            const size = sizes.next().value
            const piece = text(takeLines(gate, stream.slice(at, at + size)))
            if (piece !== '' && !/[\r\n]$/.test(piece)) return false
            passed += piece
            at += size
          }
          return passed === whole.flat().join('') && heldBytes(gate) === bytes(rest).length
        },
      ),
      { numRuns: 60 },
    )
  })

  it('passes a chunk of whole lines on as it is, and copies none', () => {
    const gate = createLineBuffer()
    const chunk = bytes('data: 1\n\n')
    expect(takeLines(gate, chunk)).toBe(chunk)
  })

  it('keeps no more space than usual chunks need, once a long line has ended', () => {
    const gate = createLineBuffer()
    takeLines(gate, bytes('x'.repeat(1_000_000)))
    expect(takeLines(gate, bytes('\ny'))?.byteLength).toBe(1_000_001)
    expect(gate.bytes.byteLength).toBeGreaterThan(1_000_000)
    expect(text(takeLines(gate, bytes('\n')))).toBe('y\n')
    expect(gate.bytes.byteLength).toBe(4096)
  })
})
