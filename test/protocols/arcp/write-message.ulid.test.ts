import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUlids } from '../../../src/protocols/arcp/write-message.ts'

/** Ids of a clock that a test sets. @param uuid of each id whose time is new */
function ulidsAt(uuid: () => string = () => crypto.randomUUID()): { at(time: number): string } {
  let now = 0
  const ulid = createUlids({ date: () => now, uuid })
  return {
    at(time) {
      now = time
      return ulid()
    },
  }
}

describe('a ULID', () => {
  it('is ten letters of time and sixteen of chance, in the base 32 of Crockford', () => {
    // The example of the specification of ULIDs.
    expect(ulidsAt().at(1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41')
    expect(ulidsAt().at(0)).toMatch(/^0000000000[0-9A-HJKMNP-TV-Z]{16}$/)
    expect(
      ulidsAt()
        .at(2 ** 48 - 1)
        .slice(0, 10),
    ).toBe('7ZZZZZZZZZ')
  })

  it('takes all that is random from the UUID', () => {
    const of = (uuid: string): string =>
      ulidsAt(() => uuid)
        .at(0)
        .slice(10)
    expect(of('00000000-0000-0000-0000-000000000000')).toBe('0000000000000000')
    expect(of('1f1f1f1f-1f1f-1f1f-1f1f-1f1f1f1f1f1f')).toBe('ZZZZZZZZZZZZZZZZ')
    expect(of('01020304-0506-0708-090a-0b0c0d0e0f10')).toBe('123456789ABCDEFG')
  })

  it('follows the one before within a millisecond, and when the clock is set back', () => {
    const ulids = ulidsAt()
    const made = [5, 5, 5, 4, 0, 5, 6, 2].map((time) => ulids.at(1_000 + time))
    expect(made).toEqual(made.toSorted())
    expect(new Set(made).size).toBe(made.length)
    // Those of the clock that was set back are counted on from the last.
    expect(made[3]?.slice(0, 10)).toBe(made[0]?.slice(0, 10))
  })

  it('takes the next millisecond when all of one are used up, and follows that too', () => {
    const ulids = ulidsAt(() => '1f1f1f1f-1f1f-1f1f-1f1f-1f1f1f1f1f1f')
    const made = [7, 7, 7, 8, 8].map(ulids.at)
    expect(made[1]?.slice(0, 10)).toBe('0000000008')
    expect(made).toEqual(made.toSorted())
    expect(new Set(made).size).toBe(made.length)
  })

  it('is in the order in which it was made, for any course of the clock', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 2, maxLength: 200 }), (times) => {
        const ulids = ulidsAt()
        const made = times.map(ulids.at)
        expect(made).toEqual(made.toSorted())
        expect(new Set(made).size).toBe(made.length)
      }),
    )
  })
})
