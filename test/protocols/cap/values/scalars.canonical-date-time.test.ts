import { afterEach, describe, expect, it, vi } from 'vitest'
import { canonicalDateTime } from '../../../../src/protocols/cap/values/scalars.ts'

afterEach(() => void vi.restoreAllMocks())

const USUAL = [
  ['the reference models', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['the reference models, with microseconds', '2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123456Z'],
  ['toISOString', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.123000Z'],
  ['isoformat', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00Z'],
  ['isoformat, with microseconds', '2026-01-01T00:00:00.123456+00:00', '2026-01-01T00:00:00.123456Z'],
  ['isoformat, with milliseconds', '2026-01-01T00:00:00.120+00:00', '2026-01-01T00:00:00.120000Z'],
  ['the last second of a year', '9999-12-31T23:59:59.999999+00:00', '9999-12-31T23:59:59.999999Z'],
] as const

describe('a time as servers write it', () => {
  it.each(USUAL)('by %s costs one match without a list of groups', (_by, written, canonical) => {
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    const read = canonicalDateTime(written)
    const groups = exec.mock.results.map(({ value }) => (value as RegExpExecArray | null)?.length)
    exec.mockRestore()
    expect(read).toBe(canonical)
    // The match itself and no groups.
    expect(groups).toEqual([1])
  })

  it.each([
    ['2026-01-01T00:00:00.000000+00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00.000123+00:00', '2026-01-01T00:00:00.000123Z'],
    ['2026-01-01T00:00:00.123000+00:00', '2026-01-01T00:00:00.123000Z'],
    ['2028-02-29T00:00:00.123456+00:00', '2028-02-29T00:00:00.123456Z'],
    ['2026-01-01T00:00:00.123456-00:00', '2026-01-01T00:00:00.123456Z'],
    ['2026-01-01T00:00:00.123456+05:30', '2026-01-01T00:00:00.123456+05:30'],
    ['2026-01-01T00:00:00.1234+00:00', '2026-01-01T00:00:00.123400Z'],
  ])('%s reads as %s, though it takes more than that', (written, canonical) => {
    expect(canonicalDateTime(written)).toBe(canonical)
  })

  it.each([
    '2027-02-29T00:00:00.123456+00:00',
    '2026-02-30T00:00:00+00:00',
    '2026-13-01T00:00:00+00:00',
    '0000-01-01T00:00:00+00:00',
    '2026-01-01T24:00:00+00:00',
    '2026-01-01T00:00:60+00:00',
    '2026-01-01T00:00:00.+00:00',
    '2026-01-01T00:00:00+00:00Z',
    '2026-01-01T00:00:00.123456+00:00\n',
    ' 2026-01-01T00:00:00+00:00',
  ])('%j is none', (written) => {
    expect(canonicalDateTime(written)).toBeUndefined()
  })
})
