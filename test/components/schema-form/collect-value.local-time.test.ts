import { describe, expect, it } from 'vitest'
import { fromLocalTime, isDate, toLocalTime } from '../../../src/components/schema-form/collect-value.ts'

describe('a date of a form', () => {
  it.each(['2024-02-29', '2023-12-31', '0001-01-01', '9999-12-31'])('%s is a day', (text) => {
    expect(isDate(text)).toBe(true)
  })

  it.each([
    '2023-02-29',
    '2023-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '24-01-01',
    '2024-1-1',
    '2024-01-01Z',
    '',
  ])('%s is none', (text) => {
    expect(isDate(text)).toBe(false)
  })
})

describe('a time of a form', () => {
  it.each(['2024-02-29T12:30:00.000Z', '2024-07-01T23:59:59.000Z', '1970-01-01T00:00:00.000Z'])(
    '%s is the same after it was shown in the zone of the device',
    (text) => {
      expect(toLocalTime(text)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/)
      expect(fromLocalTime(toLocalTime(text))).toBe(text)
    },
  )

  it.each(['', 'noon', '2024-02-29', '2024-02-29T25:00:00Z', '+012024-01-01T00:00:00Z'])('%s is none', (text) => {
    expect(toLocalTime(text)).toBe('')
    expect(fromLocalTime(text)).toBeUndefined()
  })

  it('is none in a year that JSON Schema cannot write', () => {
    expect(fromLocalTime('12024-02-29T12:30')).toBeUndefined()
  })
})
