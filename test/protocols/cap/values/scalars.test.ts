import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalDateTime,
  canonicalBoolean,
  canonicalInteger,
  canonicalNumber,
  canonicalUuid,
} from '../../../../src/protocols/cap/values/scalars.ts'
import { createScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

describe('a UUID', () => {
  const canonical = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'

  it.each([
    ['as it should be written', canonical],
    ['in upper case', canonical.toUpperCase()],
    ['without dashes', canonical.replaceAll('-', '')],
    ['in braces', `{${canonical}}`],
    ['as a urn', `urn:uuid:${canonical.toUpperCase()}`],
  ])('%s reads as the same', (_how, written) => {
    expect(canonicalUuid(written)).toBe(canonical)
  })

  it('may be nil and of any version', () => {
    expect(canonicalUuid('00000000-0000-0000-0000-000000000000')).toBe('00000000-0000-0000-0000-000000000000')
    expect(canonicalUuid('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
  })

  it.each([
    ['text', 'sess_abc'],
    ['nothing', ''],
    ['a number', 7],
    ['null', null],
    ['one digit too few', canonical.slice(1)],
    ['a line break at the end', `${canonical}\n`],
    ['braces without dashes', `{${canonical.replaceAll('-', '')}}`],
    ['dashes in the wrong place', '5b0c7a2e3-d41-4f6b-9a58-0e2f6c1d7b90'],
    ['a urn in capitals', `URN:UUID:${canonical}`],
    ['a letter beyond f', canonical.replace('b', 'g')],
  ])('is not %s', (_what, value) => {
    expect(canonicalUuid(value)).toBeUndefined()
  })

  it('reads every UUID whichever way it is written', () => {
    const forms = [
      (id: string) => id.toUpperCase(),
      (id: string) => id.replaceAll('-', ''),
      (id: string) => `{${id}}`,
      (id: string) => `urn:uuid:${id}`,
    ]
    fc.assert(fc.property(fc.uuid(), fc.constantFrom(...forms), (id, form) => canonicalUuid(form(id)) === id))
  })
})

describe('a date and time', () => {
  it.each([
    ['2026-03-01T08:15:01Z', '2026-03-01T08:15:01Z'],
    ['2026-03-01T08:15:01+00:00', '2026-03-01T08:15:01Z'],
    ['2026-03-01T08:15:01.000000+00:00', '2026-03-01T08:15:01Z'],
    ['2026-03-01T08:15:01.5Z', '2026-03-01T08:15:01.500000Z'],
    ['2026-03-01T08:15:01.123456789Z', '2026-03-01T08:15:01.123456Z'],
    ['2026-03-01T08:15:01+0530', '2026-03-01T08:15:01+05:30'],
    ['2026-03-01T08:15:01-03:00', '2026-03-01T08:15:01-03:00'],
    ['2026-03-01 08:15:01', '2026-03-01T08:15:01'],
    ['2026-03-01t08:15z', '2026-03-01T08:15:00Z'],
    ['2026-03-01', '2026-03-01T00:00:00'],
    ['2028-02-29', '2028-02-29T00:00:00'],
    [1772352901, '2026-03-01T08:15:01Z'],
    [1772352901.25, '2026-03-01T08:15:01.250000Z'],
    [1772352901250, '2026-03-01T08:15:01.250000Z'],
    ['1772352901', '2026-03-01T08:15:01Z'],
    [0, '1970-01-01T00:00:00Z'],
    [-1.5, '1969-12-31T23:59:58.500000Z'],
    [0.9999999, '1970-01-01T00:00:01Z'],
  ])('written %j reads as %s', (written, canonical) => {
    expect(canonicalDateTime(written)).toBe(canonical)
  })

  it.each([
    '',
    'soon',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '2100-02-29',
    '2026-03-01T24:00:00Z',
    '2026-03-01T08:60:00Z',
    '2026-03-01T08:15:60Z',
    '2026-03-01T08:15:01+24:00',
    '2026-03-01T08:15:01Z ',
    '03/01/2026',
    true,
    null,
    {},
    Number.NaN,
    1e18,
    -1e18,
    '1e9',
  ])('is not %j', (value) => {
    expect(canonicalDateTime(value)).toBeUndefined()
  })

  it('in the forms servers write is read if and only if there was such a second', () => {
    const near = (max: number) =>
      fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 0, max: max + 1 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 99 }) },
      )
    const fields = fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1896, max: 2104 })),
      near(12),
      near(31),
      near(23),
      near(59),
      near(59),
    )
    const fractions = fc.oneof(
      fc.constantFrom('', '.000', '.000000', '.120', '.000001'),
      fc.integer({ min: 0, max: 999_999 }).map((micros) => `.${String(micros).padStart(6, '0')}`),
    )
    let valid = 0
    fc.assert(
      fc.property(fields, fractions, ([year, month, day, hour, minute, second], fraction) => {
        const digits = (value: number, count: number): string => String(value).padStart(count, '0')
        const whole = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T${digits(hour, 2)}:${digits(minute, 2)}:${digits(second, 2)}`
        // Date takes 24:00 and 30 February and moves on; a second that exists comes back as it went in.
        const time = Date.parse(`${whole}Z`)
        const exists = year > 0 && !Number.isNaN(time) && new Date(time).toISOString().startsWith(whole)
        if (exists) valid += 1
        const micros = fraction.slice(1).padEnd(6, '0')
        const expected = exists ? `${whole}${micros === '000000' ? '' : `.${micros}`}Z` : undefined
        return ['Z', '+00:00', 'z'].every((offset) => canonicalDateTime(`${whole}${fraction}${offset}`) === expected)
      }),
      { numRuns: 2_000 },
    )
    expect(valid).toBeGreaterThan(200)
    expect(valid).toBeLessThan(1_900)
  })

  it('is a fixed point: a canonical form reads as itself', () => {
    const times = fc.double({ min: -6e10, max: 2.5e11, noNaN: true })
    fc.assert(
      fc.property(times, (time) => {
        const canonical = canonicalDateTime(time)
        return canonical === undefined || canonicalDateTime(canonical) === canonical
      }),
    )
  })

  it('agrees with Date about every moment in milliseconds', () => {
    const moments = fc.date({ min: new Date('1971-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(fc.property(moments, (date) => Date.parse(canonicalDateTime(date.getTime()) ?? '') === date.getTime()))
  })
})

describe('a whole number', () => {
  it.each([
    [7, 7],
    ['7', 7],
    [' +7.0 ', 7],
    ['-3', -3],
    [true, 1],
    [false, 0],
    [-0, 0],
    [Number.MAX_SAFE_INTEGER, 9007199254740991],
  ])('%j reads as %d', (written, number) => {
    expect(canonicalInteger(written)).toBe(number)
  })

  it.each([7.5, '7.5', '', 'seven', null, [], {}, Number.NaN, Infinity, 2 ** 53, '9007199254740992', 1e30])(
    'is not %j',
    (value) => {
      expect(canonicalInteger(value)).toBeUndefined()
    },
  )
})

describe('a number and a boolean', () => {
  it('read the words the reference models read', () => {
    expect(['1.5', '-2e3', '.5', 'NaN', 'inf', '-Infinity', true].map(canonicalNumber)).toEqual([
      1.5,
      -2000,
      0.5,
      Number.NaN,
      Infinity,
      -Infinity,
      1,
    ])
    expect(['yes', 'ON', 't', 1, '1'].map(canonicalBoolean)).toEqual([true, true, true, true, true])
    expect(['no', 'Off', 'f', 0, 'false'].map(canonicalBoolean)).toEqual([false, false, false, false, false])
  })

  it('read nothing else', () => {
    expect(['', '1,5', 'e3', null, [], 'infinite'].map(canonicalNumber)).toEqual(Array.from({ length: 6 }))
    expect(['', 'maybe', 2, null, [], 'yes!'].map(canonicalBoolean)).toEqual(Array.from({ length: 6 }))
  })
})

describe('scalars without lax reading', () => {
  const { uuid, integer, dateTime, number, boolean } = createScalars({ lax: false })

  it('take canonical spellings only', () => {
    expect(uuid.safeParse('5B0C7A2E-3D41-4F6B-9A58-0E2F6C1D7B90').success).toBe(true)
    expect(uuid.safeParse('5b0c7a2e3d414f6b9a580e2f6c1d7b90').success).toBe(false)
    expect([7, 7.5, '7', true].map((value) => integer.safeParse(value).success)).toEqual([true, false, false, false])
    expect(
      ['2026-03-01T08:15:01Z', '2026-03-01T08:15:01', '2026-03-01', 0].map(
        (value) => dateTime.safeParse(value).success,
      ),
    ).toEqual([true, false, false, false])
    expect([1.5, '1.5'].map((value) => number.safeParse(value).success)).toEqual([true, false])
    expect([true, 'yes', 1].map((value) => boolean.safeParse(value).success)).toEqual([true, false, false])
  })
})
