import { describe, expect, it } from 'vitest'
import { createSessionCursors } from '../../../../src/protocols/arcp/ledger/places.ts'

const ulid = (at: number): string => `msg_${String(at).padStart(26, '0')}`
const OVERLAP = 64

describe('how far a session was read', () => {
  it('is nowhere before anything was read', () => {
    const cursors = createSessionCursors()
    expect(cursors.resumeAfter('s')).toBeUndefined()
    expect(cursors.places([{ sessionId: 's' }])).toEqual([{ sessionId: 's', after: undefined, last: undefined }])
    expect(cursors.places([])).toEqual([])
  })

  it('is read on from a few messages before the last, by which one may have been overtaken', () => {
    const cursors = createSessionCursors()
    for (let at = 1; at <= 100; at += 1) cursors.read('s', ulid(at))
    expect(cursors.places([{ sessionId: 's' }])).toEqual([
      { sessionId: 's', after: ulid(101 - OVERLAP), last: ulid(100) },
    ])
  })

  it('is the last by its id, also when one that it has overtaken comes after it', () => {
    const cursors = createSessionCursors()
    for (const at of [5, 9, 7]) cursors.read('s', ulid(at))
    expect(cursors.places([{ sessionId: 's' }])).toEqual([{ sessionId: 's', after: ulid(5), last: ulid(9) }])
  })

  it('begins at the earliest place at which a run of it was left, or at its start', () => {
    const cursors = createSessionCursors()
    for (const at of [5, 9]) cursors.read('s', ulid(at))
    const leftAt = (after: string | undefined) => ({ sessionId: 's', leftAt: { after } })
    const after = (...runs: Parameters<typeof cursors.places>[0]) => cursors.places(runs).map((place) => place.after)
    expect(after({ sessionId: 's' }, leftAt(ulid(3)), leftAt(ulid(7)))).toEqual([ulid(3)])
    expect(after({ sessionId: 's' }, leftAt(undefined), leftAt(ulid(3)))).toEqual([undefined])
    // Of a session of which nothing was read here, only the places are known.
    expect(cursors.places([{ sessionId: 't', leftAt: { after: ulid(4) } }])).toEqual([
      { sessionId: 't', after: ulid(4), last: undefined },
    ])
  })

  it('is the last message where ids have no order', () => {
    const cursors = createSessionCursors()
    for (const id of ['msg_c', 'msg_a', 'msg_b']) cursors.read('s', id)
    expect(cursors.places([{ sessionId: 's' }])).toEqual([{ sessionId: 's', after: 'msg_b', last: 'msg_b' }])
  })
})
