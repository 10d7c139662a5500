import { describe, expect, it } from 'vitest'
import { applyBoundedPatch, readPatchOperations } from '../../src/base/json-patch.ts'

describe('a patch from the network', () => {
  it('is applied whole or not at all', () => {
    const state = { list: [1] }
    expect(applyBoundedPatch(state, [{ op: 'add', path: '/list/-', value: 2 }])).toEqual({ document: { list: [1, 2] } })
    expect(
      applyBoundedPatch(state, [
        { op: 'add', path: '/list/-', value: 2 },
        { op: 'remove', path: '/none' },
      ]),
    ).toBeUndefined()
    expect(state).toEqual({ list: [1] })
  })

  it('is not applied when its copies make too much of the document, which cost no bytes', () => {
    const double = [
      { op: 'copy', from: '', path: '/a' },
      { op: 'copy', from: '', path: '/b' },
    ]
    const bomb = Array.from({ length: 40 }, () => double).flat()
    expect(applyBoundedPatch({ a: 'x'.repeat(1000) }, bomb)).toBeUndefined()
    expect(applyBoundedPatch({}, double)).toEqual({ document: { a: {}, b: { a: {} } } })
  })

  it('is not applied with more operations than 10,000', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/a', value: 1 }))
    expect(applyBoundedPatch({}, many)).toBeUndefined()
    expect(applyBoundedPatch({}, many.slice(1))).toEqual({ document: { a: 1 } })
  })

  it.each([
    ['no list', {}],
    ['an operation that is none', [1]],
    ['an operation that is not known', [{ op: 'rename', path: '/a' }]],
    ['a path that is no pointer', [{ op: 'remove', path: 'a' }]],
    ['a move without a source', [{ op: 'move', path: '/a' }]],
    ['an add without a value', [{ op: 'add', path: '/a' }]],
  ])('is not read from %s', (_title, list) => {
    expect(readPatchOperations(list)).toBeUndefined()
  })

  it('is read with the members of each operation alone', () => {
    const list = [
      { op: 'add', path: '', value: null, more: 1 },
      { op: 'copy', path: '/a', from: '/b', value: 1 },
      { op: 'remove', path: '/a' },
    ]
    expect(readPatchOperations(list)).toEqual([
      { op: 'add', path: '', value: null },
      { op: 'copy', path: '/a', from: '/b' },
      { op: 'remove', path: '/a', value: undefined },
    ])
  })
})
