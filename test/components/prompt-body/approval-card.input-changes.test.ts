import { describe, expect, it } from 'vitest'
import { editablePart, inputChanges, withEdits } from '../../../src/components/prompt-body/approval-card.tsx'

const paths = (before: unknown, after: unknown): string[] =>
  inputChanges(before, after, 99).changes.map(({ path }) => path)

describe('the changes of an input', () => {
  it('are the values that differ, each by its path', () => {
    const before = { to: 'a', notes: ['1', '2', '3'], at: { day: 1, hour: 2 }, same: [{}] }
    const after = { to: 'b', notes: ['1', 'two'], at: { day: 1, hour: 3 }, same: [{}], more: null }
    expect(inputChanges(before, after, 99)).toEqual({
      isCut: false,
      changes: [
        { path: 'to', before: 'a', after: 'b' },
        { path: 'notes[1]', before: '2', after: 'two' },
        { path: 'notes[2]', before: '3', after: undefined },
        { path: 'at.hour', before: 2, after: 3 },
        { path: 'more', before: undefined, after: null },
      ],
    })
  })

  it('are none of equal values, whatever the order of their keys', () => {
    expect(paths({ a: 1, b: [{}] }, { b: [{}], a: 1 })).toEqual([])
  })

  it('are the whole where it is of another type', () => {
    expect(paths('a', ['a'])).toEqual([''])
    expect(paths({ a: {} }, { a: [] })).toEqual(['a'])
    expect(paths({ a: null }, { a: {} })).toEqual(['a'])
  })

  it('are at most as many as asked for, and it is known that there are more', () => {
    const many = Array.from({ length: 1000 }, (_, index) => index)
    expect(
      inputChanges(
        many,
        many.map((value) => -value - 1),
        50,
      ),
    ).toMatchObject({ changes: { length: 50 }, isCut: true })
  })

  it('are searched for in so many values, and no more: it is known that there may be others', () => {
    let reads = 0
    const watched = (length: number): unknown[] =>
      new Proxy(
        Array.from({ length }, () => [0]),
        {
          get(target, key, receiver) {
            reads++
            return Reflect.get(target, key, receiver) as unknown
          },
        },
      )
    expect(inputChanges(watched(1000), watched(1000), 50)).toEqual({ changes: [], isCut: false })
    reads = 0
    expect(inputChanges(watched(1_000_000), watched(1_000_000), 50)).toEqual({ changes: [], isCut: true })
    expect(reads).toBeLessThan(100_000)
  })

  it('end at a depth that no input has', () => {
    const nested = (bottom: unknown): unknown => {
      let value = bottom
      for (let level = 0; level < 10_000; level++) value = [value]
      return value
    }
    expect(inputChanges(nested(1), nested(2), 50).isCut).toBe(true)
  })
})

describe('what may be changed of an input', () => {
  const editable = { properties: { text: { type: 'string' } } }
  const input = { to: 'ann', text: 'a', __proto__: null }

  it('is what the schema lists, and the rest is added again', () => {
    expect(editablePart(input, editable)).toEqual({ text: 'a' })
    expect(withEdits(input, editable, { text: 'b' })).toEqual({ to: 'ann', text: 'b' })
  })

  it('may be taken away', () => {
    expect(withEdits(input, editable, {})).toEqual({ to: 'ann' })
  })

  it('is never what the schema does not list, whatever a form says', () => {
    expect(withEdits(input, editable, { text: 'b', to: 'eve' })).toEqual({ to: 'ann', text: 'b' })
  })

  it('is the whole of an input that is not an object', () => {
    expect(editablePart('ls', { type: 'string' })).toBe('ls')
    expect(withEdits('ls', { type: 'string' }, 'pwd')).toBe('pwd')
  })
})
