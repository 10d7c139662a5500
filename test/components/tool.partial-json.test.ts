import { describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { createPartialJson } from '../../src/components/tool.tsx'

/** Whether `part` is what has come of `whole`. */
function isPrefix(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true
  if (typeof part === 'string' && typeof whole === 'string') return whole.startsWith(part)
  if (Array.isArray(part)) {
    if (!Array.isArray(whole) || part.length > whole.length) return false
    return part.every((item, at) => (at < part.length - 1 ? equal(item, whole[at]) : isPrefix(item, whole[at])))
  }
  if (typeof part === 'object' && part !== null && typeof whole === 'object' && whole !== null) {
    const keys = Object.keys(part)
    return (
      Object.keys(whole).slice(0, keys.length).join('\n') === keys.join('\n') &&
      keys.every((key, at) => {
        const [had, has] = [Reflect.get(part, key), Reflect.get(whole, key)] as const
        return at < keys.length - 1 ? equal(had, has) : isPrefix(had, has)
      })
    )
  }
  return Object.is(part, whole)
}

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Every object and array in a value. */
function containers(value: unknown, found: object[] = []): object[] {
  if (typeof value !== 'object' || value === null) return found
  found.push(value)
  for (const member of Object.values(value)) containers(member, found)
  return found
}

/** JSON text of any value, in any of its spellings. Keys that are numbers would change places. */
const texts = fc
  .tuple(fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t'), fc.boolean())
  .map(([value, indent, escapes]) => {
    const text = JSON.stringify(value, undefined, indent)
    return escapes
      ? text.replace(/[^\0-\x7F]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text
  })

const inOrder = (value: unknown): boolean =>
  containers(value).every(
    (container) => Array.isArray(container) || !Object.keys(container).some((key) => /^\d+$/.test(key)),
  )

describe('a JSON text that is cut anywhere', () => {
  it('gives a beginning of its value, and whole it gives what JSON.parse does', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole: unknown = JSON.parse(text)
        fc.pre(inOrder(whole))
        for (let end = 0; end <= text.length; end++) {
          const part = createPartialJson().read(text.slice(0, end))
          if (!isPrefix(part, whole)) throw new Error(`${text.slice(0, end)} was read as ${JSON.stringify(part)}`)
        }
        // A number is complete only when something follows it.
        expect(createPartialJson().read(`${text} `)).toEqual(whole)
      }),
      { numRuns: 100 },
    )
  })

  it('gives the same however it was cut, never less than before, and keeps what is complete', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (text, cuts) => {
        const whole: unknown = JSON.parse(text)
        fc.pre(inOrder(whole))
        const reader = createPartialJson()
        let before: unknown
        for (const end of [...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length]) {
          const value = reader.read(text.slice(0, end))
          expect(value).toEqual(createPartialJson().read(text.slice(0, end)))
          expect(isPrefix(before, value)).toBe(true)
          // What is complete is equal in the whole value; an open end alone may be made again.
          const kept = new Set(containers(value))
          const open = new Set(openPath(before))
          expect(containers(before).filter((container) => !open.has(container) && !kept.has(container))).toEqual([])
          expect(reader.read(text.slice(0, end))).toBe(value)
          before = value
        }
      }),
      { numRuns: 100 },
    )
  })
})

/** The containers that can still grow: the last member of the last member, and so on. */
function openPath(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...openPath(Object.values(value).at(-1))]
}

describe('what has come of a tool input', () => {
  const read = (text: string): unknown => createPartialJson().read(text)

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['{', {}],
    ['{"pla', {}],
    ['{"place"', {}],
    ['{"place":', {}],
    ['{"place":"bri', { place: 'bri' }],
    ['{"place":"bridge","depth":1', { place: 'bridge' }],
    ['{"place":"bridge","depth":1.5,', { place: 'bridge', depth: 1.5 }],
    ['{"ok":tru', {}],
    ['{"ok":true', {}],
    ['{"ok":true}', { ok: true }],
    ['[1,2', [1]],
    ['[1,2]', [1, 2]],
    ['["a\\', ['a']],
    ['["a\\u00', ['a']],
    ['["a\\u00e9', ['aé']],
    ['["\\ud83d', ['']],
    ['["\\ud83d\\ude00', ['😀']],
    ['"so', 'so'],
  ])('of %j is %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ['{"a":1,}', { a: 1 }],
    ['[1 2]', [1]],
    ['[01]', []],
    ['[1}', [1]],
    ['{"a":"x"} {"b":1}', { a: 'x' }],
    ['["a\nb"]', ['a']],
    ['["\\x"]', ['']],
    ['[nul]', []],
    ['<html>', undefined],
  ])('that is not JSON is read up to its fault: %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('starts over when the text is another one', () => {
    const reader = createPartialJson()
    expect(reader.read('{"a":[1,2')).toEqual({ a: [1] })
    expect(reader.read('{"b":"x')).toEqual({ b: 'x' })
  })

  it('keeps a key that is not an ordinary property as a member', () => {
    const value = read('{"__proto__":{"admin":true},"open":{"__proto__":"x')
    expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true},"open":{"__proto__":"x"}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  })

  it('does not follow text that is nested without end', () => {
    const value = read('['.repeat(100_000))
    let depth = 0
    for (let inner: unknown = value; Array.isArray(inner); inner = inner[0]) depth += 1
    expect(depth).toBe(500)
  })

  it('reads each character once, however often it grows', () => {
    const text = JSON.stringify({ notes: Array.from({ length: 500 }, (_, at) => ({ at, text: 'bend '.repeat(4) })) })
    const looks = vi.spyOn(String.prototype, 'charAt')
    const reader = createPartialJson()
    for (let end = 1; end <= text.length; end++) reader.read(text.slice(0, end))
    const { length } = looks.mock.calls
    looks.mockRestore()
    expect(length).toBeLessThan(3 * text.length)
  })
})
