import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, parseBoundedJson } from '../../src/base/bounded-json.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

/** Longer than the shortest text that could nest too deep, so that brackets are counted. */
const padding = ' '.repeat(2 * MAX_DEPTH)

function written(text: string): string {
  try {
    return JSON.stringify(parseBoundedJson(text))
  } catch (error) {
    return error instanceof RangeError ? 'RangeError' : String(error)
  }
}

describe('JSON of bounded depth', () => {
  it('is what JSON.parse makes of it', () => {
    const texts = fc.json().filter((text) => !text.includes('__proto__'))
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseBoundedJson(text + padding)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('counts brackets outside strings only', () => {
    const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a'), maxLength: 60 })
    fc.assert(
      fc.property(
        fc.array(tricky, { maxLength: 8 }),
        fc.integer({ min: MAX_DEPTH - 1, max: MAX_DEPTH + 2 }),
        (texts, depth) => {
          const text = `${'['.repeat(depth - 1)}${JSON.stringify(texts)}${']'.repeat(depth - 1)}`
          expect(written(text)).toBe(depth > MAX_DEPTH ? 'RangeError' : text)
        },
      ),
    )
  })

  it('is refused without counting on when a string never ends', () => {
    expect(() => parseBoundedJson(`["${'['.repeat(5_000)}`)).toThrow(SyntaxError)
    expect(() => parseBoundedJson(`["${'\\"'.repeat(5_000)}`)).toThrow(SyntaxError)
  })

  it('loses keys that would replace a prototype, and no other', () => {
    const text = '{"a":{"__proto__":{"x":1},"__proto":2},"b":[{"\\u005F\\u005Fproto__":3}],"constructor":4}'
    expect(JSON.stringify(parseBoundedJson(text))).toBe('{"a":{"__proto":2},"b":[{}],"constructor":4}')
  })
})
