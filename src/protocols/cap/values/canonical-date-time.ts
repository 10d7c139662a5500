const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d:?\d\d)?)?$/
/** Matches exactly the seconds of all days since the year 1. */
const SECOND =
  /(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/
    .source
/**
 * What servers write: no fraction or microseconds in the reference models and in Python (`isoformat` writes UTC as an offset of
 * nothing), milliseconds in JavaScript. Only 29 February is left to the calendar below.
 */
export const USUAL_DATE_TIME = `${SECOND}(?:\\.(?!0{6}[Z+]|000[Z+])\\d{3}(?:\\d{3})?)?(?:Z|\\+00:00)`
const USUAL = new RegExp(`^${USUAL_DATE_TIME}$`)
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const NUMERIC = /^[+-]?\d+(?:\.\d*)?$/
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** Epoch numbers beyond this are milliseconds: as seconds they would be after the year 2603. */
const SECONDS_UP_TO = 2e10
const UPPER_Z = 90
const FIRST_SECOND = -62_135_596_800
const LAST_SECOND = 253_402_300_799

/**
 * Reads a point in time as the reference models do (CAP section 3, "Scalars"): ISO 8601 with or
 * without offset, a space for `T`, a date alone, epoch seconds or milliseconds as number or numeric
 * string. Writes `YYYY-MM-DDTHH:MM:SS`, six fraction digits when they are not all zero, `Z` for UTC,
 * no offset when none was given. Undefined when the value is not a point in time.
 */
export function canonicalDateTime(value: unknown): string | undefined {
  if (typeof value === 'number') return fromEpoch(value)
  if (typeof value !== 'string') return undefined
  // Every packet has a time. These forms cost one match and no lists of groups.
  if (USUAL.test(value)) return usualDateTime(value, 0, value.length)
  const match = DATE_TIME.exec(value)
  if (!match) return NUMERIC.test(value) ? fromEpoch(Number(value)) : undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', offset = ''] =
    match
  if (!isDay(Number(year), Number(month), Number(day))) return undefined
  if (hour > '23' || minute > '59' || second > '59') return undefined
  const zone = canonicalOffset(offset)
  if (zone === undefined) return undefined
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${canonicalFraction(fraction)}${zone}`
}

/**
 * The canonical form of what {@link USUAL_DATE_TIME} has matched, in a longer text: milliseconds get three digits more, an offset becomes
 * `Z`; what is canonical is cut out once.
 */
export function usualDateTime(text: string, start: number, end: number): string {
  const isUtc = text.charCodeAt(end - 1) === UPPER_Z
  const zone = end - (isUtc ? 'Z' : '+00:00').length
  if (zone - start === '2026-03-01T08:15:01.123'.length) return `${text.slice(start, zone)}000Z`
  return isUtc ? text.slice(start, end) : `${text.slice(start, zone)}Z`
}

/** The same, taking only what RFC 3339 allows. */
export function strictDateTime(value: unknown): string | undefined {
  return typeof value === 'string' && RFC_3339.test(value) ? canonicalDateTime(value) : undefined
}

function isDay(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year >= 1 && day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leap ? 1 : 0)
}

function canonicalFraction(digits: string): string {
  const micros = digits.slice(0, 6).padEnd(6, '0')
  return micros === '000000' ? '' : `.${micros}`
}

function canonicalOffset(offset: string): string | undefined {
  if (offset === '' || offset === 'Z') return offset
  if (offset === 'z') return 'Z'
  const hours = offset.slice(1, 3)
  const minutes = offset.slice(-2)
  if (hours > '23' || minutes > '59') return undefined
  return hours === '00' && minutes === '00' ? 'Z' : `${offset.slice(0, 1)}${hours}:${minutes}`
}

function fromEpoch(value: number): string | undefined {
  const perSecond = Math.abs(value) > SECONDS_UP_TO ? 1000 : 1
  let whole = Math.floor(value / perSecond)
  let micros = Math.round(((value - whole * perSecond) * 1e6) / perSecond)
  if (micros === 1e6) {
    whole += 1
    micros = 0
  }
  if (!(whole >= FIRST_SECOND && whole <= LAST_SECOND)) return undefined
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}${canonicalFraction(String(micros).padStart(6, '0'))}Z`
}
