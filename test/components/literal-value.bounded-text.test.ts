import { describe, expect, it } from 'vitest'
import { boundedText, firstEntries } from '../../src/components/literal-value.tsx'

/** A value that counts how often something in it was read. */
function counted<Value extends object>(value: Value): { readonly value: Value; reads(): number } {
  let reads = 0
  const seen = new Map<object, object>()
  const wrap = <Some extends object>(some: Some): Some => {
    const known = seen.get(some)
    // The wrapper of an object has its type.
    if (known !== undefined) return known as Some
    const wrapper = new Proxy(some, {
      get(target, key, receiver) {
        reads++
        const read: unknown = Reflect.get(target, key, receiver)
        return typeof read === 'object' && read !== null ? wrap(read) : read
      },
    })
    seen.set(some, wrapper)
    return wrapper
  }
  return { value: wrap(value), reads: () => reads }
}

function nested(depth: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { next: value }
  return value
}

describe('a value as text', () => {
  it('is a string as it is, and anything else as JSON', () => {
    expect(boundedText('a "b"\nc', 100)).toEqual({ text: 'a "b"\nc', isCut: false })
    for (const value of [true, null, 12.5, [], {}, [1, ['a']], { a: { b: [null, 'c"'] }, d: {} }, '', '  '])
      expect(boundedText(value, 1000)).toEqual({ text: JSON.stringify(value, null, 2), isCut: false })
  })

  it('is cut where there is no more space, and says so', () => {
    expect(boundedText('abcdef', 3)).toEqual({ text: 'abc', isCut: true })
    expect(boundedText('abc', 3)).toEqual({ text: 'abc', isCut: false })
    expect(boundedText({ a: 'x'.repeat(50), b: 1 }, 20).text).toMatch(/^\{\n {2}"a": "x+"$/)
    expect(boundedText({ a: 'x'.repeat(50), b: 1 }, 20).isCut).toBe(true)
    expect(boundedText([[1, 2], [3]], 14).isCut).toBe(true)
  })

  it('costs what is shown of ten megabytes, and no more', () => {
    const list = counted(Array.from({ length: 1_000_000 }, (_, index) => ({ index, text: 'abc' })))
    const { text, isCut } = boundedText(list.value, 2000)
    expect(isCut).toBe(true)
    expect(text.length).toBeLessThan(2100)
    expect(list.reads()).toBeLessThan(1000)
    expect(list.reads()).toBeGreaterThan(50)

    const long = boundedText({ key: 'x'.repeat(10_000_000) }, 2000)
    expect([long.text.length < 2100, long.isCut]).toEqual([true, true])
    const key = boundedText({ ['k'.repeat(10_000_000)]: 1 }, 2000)
    expect([key.text.length < 2100, key.isCut]).toEqual([true, true])
  })

  it.each([1000, 1999, 100_000])('stops at its depth limit for a value of %i levels', (depth) => {
    const { text, isCut } = boundedText(nested(depth), 2000)
    expect(isCut).toBe(true)
    expect(text.length).toBeLessThan(2100)
    expect(boundedText(nested(depth), 1_000_000).isCut).toBe(depth > 2000)
  })

  it('of a value that refers to itself comes to an end', () => {
    const value: unknown[] = []
    value.push(value, value)
    expect(boundedText(value, 5_000_000).isCut).toBe(true)
  })
})

describe('the first entries of an object', () => {
  it('are those of its first keys, and it is known whether there are more', () => {
    expect(firstEntries({ a: 1, b: 2 }, 2)).toEqual({
      entries: [
        ['a', 1],
        ['b', 2],
      ],
      isCut: false,
    })
    const many = counted(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, index])))
    expect(firstEntries(many.value, 20)).toMatchObject({ entries: { length: 20 }, isCut: true })
    expect(many.reads()).toBe(20)
  })

  it('are only its own', () => {
    expect(firstEntries(Object.create({ inherited: 1 }) as Record<string, unknown>, 9).entries).toEqual([])
  })
})
