import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyBoundedPatch } from '../../../src/base/json-patch.ts'
import { stateDiff } from '../../../src/server/run/agent-run-state.ts'

it('makes the second of the first, for any JSON', () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
  fc.assert(
    fc.property(json, json, (before, after) => {
      const delta = stateDiff(before, after)
      if (delta === undefined) return
      expect(applyBoundedPatch(before, delta)).toEqual({ document: after })
    }),
  )
})

it('names what has changed and nothing else', () => {
  const before = { title: 'Soup', steps: ['cut', 'boil', 'eat'], 'a/b~c': 1, gone: 1 }
  const after = { title: 'Soup', steps: ['cut', 'fry'], 'a/b~c': 2, made: [] }
  expect(stateDiff(before, after)).toEqual([
    { op: 'remove', path: '/steps/2' },
    { op: 'replace', path: '/steps/1', value: 'fry' },
    { op: 'replace', path: '/a~1b~0c', value: 2 },
    { op: 'remove', path: '/gone' },
    { op: 'add', path: '/made', value: [] },
  ])
  expect(stateDiff(before, structuredClone(before))).toEqual([])
})

it('gives none where a path has a name that readers refuse', () => {
  expect(stateDiff({}, { constructor: 1 })).toBeUndefined()
  expect(stateDiff({ a: {} }, { a: { prototype: 1 } })).toBeUndefined()
  expect(stateDiff({ prototype: 1, a: 1 }, { prototype: 1, a: 2 })).toEqual([{ op: 'replace', path: '/a', value: 2 }])
})
