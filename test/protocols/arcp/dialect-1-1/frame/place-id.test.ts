import { describe, expect, it } from 'vitest'
import { markOf, placeId, placeOf, START } from '../../../../../src/protocols/arcp/dialect-1-1/frame/place-id.ts'
import { isLater } from '../../../../../src/protocols/arcp/values/vocabulary.ts'

describe('the id of a place', () => {
  it('has an order, by event and then by message', () => {
    const mark = markOf('something')
    const ids = [
      placeId(START, 0),
      placeId(START, 1),
      placeId({ ordinal: 1, mark: 'ZZZZZZZZ' }, 0),
      placeId({ ordinal: 1, mark: 'ZZZZZZZZ' }, 900_001),
      placeId({ ordinal: 2, mark }, 0),
      placeId({ ordinal: 10, mark }, 0),
    ]
    expect(ids.toSorted()).toEqual(ids)
    for (const [at, id] of ids.entries()) for (const before of ids.slice(0, at)) expect(isLater(id, before)).toBe(true)
  })

  it('tells the place; other ids tell none', () => {
    const place = { ordinal: 123, mark: markOf('x') }
    expect(placeOf(placeId(place, 4))).toEqual(place)
    for (const id of [undefined, '', 'dialect_1', 'msg_01J00000000000000000000000']) expect(placeOf(id)).toBeUndefined()
  })
})

describe('a mark', () => {
  it('differs between texts that are next to equal', () => {
    const texts = Array.from({ length: 5_000 }, (_, count) => `{"kind":"log","body":{"message":"tick ${count}"}}`)
    expect(new Set(texts.map(markOf)).size).toBe(texts.length)
    expect(markOf('')).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  })
})
