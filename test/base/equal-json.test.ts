import { expect, it } from 'vitest'
import { isEqualJson } from '../../src/base/equal-json.ts'

it.each([
  [1, 1],
  [null, null],
  [
    [1, { a: [] }],
    [1, { a: [] }],
  ],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
])('takes %j and %j for the same', (left, right) => {
  expect(isEqualJson(left, right)).toBe(true)
})

it.each([
  [1, '1'],
  [null, {}],
  [[], {}],
  [{}, []],
  [[1], [1, 2]],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{}, { toString: 1 }],
])('tells %j from %j', (left, right) => {
  expect([isEqualJson(left, right), isEqualJson(right, left)]).toEqual([false, false])
})
