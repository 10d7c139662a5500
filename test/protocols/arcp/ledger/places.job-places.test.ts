import { describe, expect, it } from 'vitest'
import { createJobPlaces, hasRead, type JobPlaces } from '../../../../src/protocols/arcp/ledger/places.ts'

const ulid = (at: number): string => `msg_${String(at).padStart(26, '0')}`
const placesOf = (places: JobPlaces, job: string) => [...places.of(job)]

describe('how far a job was read', () => {
  it('is nowhere before anything was read', () => {
    expect(placesOf(createJobPlaces(), 'j')).toEqual([])
  })

  it('is one place for each session, the last message by its id', () => {
    const places = createJobPlaces()
    for (const [session, at] of [
      ['s', 1],
      ['t', 9],
      ['s', 3],
      ['s', 2],
    ] as const)
      places.read('j', session, ulid(at))
    expect(placesOf(places, 'j')).toEqual([
      ['s', ulid(3)],
      ['t', ulid(9)],
    ])
    expect(hasRead(places.of('j'), { id: ulid(3), session_id: 's' })).toBe(true)
    // Later than all of its session, earlier than what another session said.
    expect(hasRead(places.of('j'), { id: ulid(4), session_id: 's' })).toBe(false)
    expect(hasRead(places.of('j'), { id: ulid(1), session_id: 'u' })).toBe(false)
    expect(hasRead(undefined, { id: ulid(1), session_id: 's' })).toBe(false)
  })

  it('is the start of a session in which it was invoked, until that says something', () => {
    const places = createJobPlaces()
    places.read('invoke', 's', undefined)
    expect(hasRead(places.of('invoke'), { id: ulid(1), session_id: 's' })).toBe(false)
    places.read('j', 't', ulid(2))
    places.rename('invoke', 'j')
    expect(placesOf(places, 'invoke')).toEqual([])
    expect(placesOf(places, 'j')).toEqual([
      ['t', ulid(2)],
      ['s', undefined],
    ])
  })

  it('keeps the first session and the last seven', () => {
    const places = createJobPlaces()
    for (let at = 1; at <= 20; at += 1) places.read('j', `s${at}`, ulid(at))
    expect(placesOf(places, 'j').map(([session]) => session)).toEqual([
      's1',
      ...[14, 15, 16, 17, 18, 19, 20].map((at) => `s${at}`),
    ])
  })

  it('forgets a session that is gone, and a job that has ended', () => {
    const places = createJobPlaces()
    for (const session of ['s', 't']) places.read('j', session, ulid(1))
    places.drop('j', 's')
    expect(placesOf(places, 'j')).toEqual([['t', ulid(1)]])
    places.delete('j')
    expect(placesOf(places, 'j')).toEqual([])
  })
})
