import { describe, expect, it } from 'vitest'
import { applyJsonPatch } from '../../src/base/json-patch.ts'

describe('a patch', () => {
  it('makes a new document that shares what it does not touch, and leaves the old one as it is', () => {
    const before = { list: [1, 2, 3], kept: { deep: true }, o: { 'a/b': 1, 'm~n': 2 } }
    const copy = structuredClone(before)
    const after = applyJsonPatch(before, [
      { op: 'test', path: '/list/0', value: 1 },
      { op: 'remove', path: '/list/1' },
      { op: 'add', path: '/list/0', value: 0 },
      { op: 'add', path: '/list/-', value: 4 },
      { op: 'copy', from: '/o/a~1b', path: '/c' },
      { op: 'move', from: '/o/m~0n', path: '/d' },
      { op: 'replace', path: '/o', value: null },
    ])
    expect(after).toEqual({ document: { list: [0, 1, 3, 4], kept: { deep: true }, o: null, c: 1, d: 2 } })
    // The document has the shape of the one before.
    const shared = after?.document as typeof before | undefined
    expect(shared?.kept).toBe(before.kept)
    expect(before).toEqual(copy)
  })

  it('replaces a whole document, whatever it is', () => {
    expect(applyJsonPatch(0, [{ op: 'replace', path: '', value: [1] }])).toEqual({ document: [1] })
    expect(applyJsonPatch({ a: 1 }, [])).toEqual({ document: { a: 1 } })
  })

  it.each([
    ['removes what is not there', { op: 'remove', path: '/zzz' }],
    ['replaces what is not there', { op: 'replace', path: '/zzz', value: 1 }],
    ['adds into what is not there', { op: 'add', path: '/zzz/a', value: 1 }],
    ['adds into a value that holds nothing', { op: 'add', path: '/a/b', value: 1 }],
    ['adds behind the end of a list', { op: 'add', path: '/list/3', value: 1 }],
    ['removes at the end of a list', { op: 'remove', path: '/list/-' }],
    ['names a place of a list that is no number', { op: 'replace', path: '/list/length', value: 0 }],
    ['names a place of a list with a zero before it', { op: 'replace', path: '/list/01', value: 0 }],
    ['copies what is not there', { op: 'copy', from: '/zzz', path: '/b' }],
    ['moves a value into itself', { op: 'move', from: '/o', path: '/o/a' }],
    ['tests for another value', { op: 'test', path: '/a', value: 2 }],
    ['is of an operation that is not known', { op: 'rename', path: '/a' }],
    ['adds a key that is the sign for the end of a list', { op: 'add', path: '/o/-', value: 1 }],
    ['reaches the prototype', { op: 'add', path: '/__proto__/polluted', value: true }],
    ['reaches the constructor', { op: 'add', path: '/constructor/prototype/polluted', value: true }],
    ['copies from the prototype', { op: 'copy', from: '/__proto__', path: '/b' }],
  ])('changes nothing at all when one of its operations %s', (_title, operation) => {
    const document = { a: 1, list: [1, 2], o: {} }
    expect(applyJsonPatch(document, [{ op: 'add', path: '/first', value: 1 }, operation])).toBeUndefined()
    expect(document).toEqual({ a: 1, list: [1, 2], o: {} })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
