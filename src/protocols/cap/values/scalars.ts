import type { JsonObject } from '../../../base/json-object.ts'

/** A UUID as it is written out again. */
export const DASHED_UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const DASHED = new RegExp(`^${DASHED_UUID}$`)

const ANY_UUID = /^(?:[0-9a-f]{32}|\{DASHED\}|urn:uuid:DASHED|DASHED)$/.source.replaceAll('DASHED', DASHED_UUID)

const LENIENT_UUID = new RegExp(ANY_UUID, 'i')

const INTEGER = /^\s*[+-]?\d+(?:\.0*)?\s*$/

const NUMBER = /^\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?)\s*$/i

const TRUE = /^(?:1|t|true|y|yes|on)$/i

const FALSE = /^(?:0|f|false|n|no|off)$/i

/** The UUID read last: packets of one stream follow each other, and so they share one string. */
let lastUuid = '00000000-0000-0000-0000-000000000000'

/**
 * A UUID in lower case with dashes, from any form the reference models take: upper case, no dashes,
 * braces, `urn:uuid:`, any version and the nil UUID. Undefined when the value is no UUID.
 */
export function canonicalUuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (value === lastUuid) return lastUuid
  if (DASHED.test(value)) return (lastUuid = value)
  if (!LENIENT_UUID.test(value) || value.startsWith('URN')) return undefined
  const hex = value.toLowerCase().replace('urn:uuid:', '').replace(/[{}-]/g, '')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The dashed UUID of a JSON text that begins at a place behind its quote, as a string that does not keep that text alive. */
export function uuidAt(text: string, start: number): string {
  if (text.indexOf(lastUuid, start) === start) return lastUuid
  // A separate string and not a slice, which takes several times as long as the key of a map.
  return (lastUuid = JSON.parse(text.slice(start - 1, start + lastUuid.length + 1)) as string)
}

/** A whole number from a number, a numeric string or a boolean. Beyond ±(2^53-1) JavaScript cannot compare them: undefined. */
export function canonicalInteger(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && INTEGER.test(value)
      ? Number(value)
      : typeof value === 'boolean'
        ? Number(value)
        : value
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined // isSafeInteger takes numbers only but narrows nothing; + 0 turns -0 into 0
}

/** A number from a number, a numeric string (`"NaN"` and `"inf"` too) or a boolean. */
export function canonicalNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string' || !NUMBER.test(value)) return undefined
  const word = value.trim().toLowerCase()
  if (word.includes('inf')) return word.startsWith('-') ? -Infinity : Infinity
  return Number(word)
}

/** A boolean from a boolean, 0 or 1, or the words yes/no, true/false, on/off, y/n, t/f. */
export function canonicalBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return TRUE.test(String(value)) ? true : FALSE.test(String(value)) ? false : undefined
}

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

/** The families of CAP packets (CAP section 2). G1a and G1b differ only in what an ERROR may carry. */
export type Generation = 'G0' | 'G1' | 'G2s' | 'G2' | 'G3' | 'G4'

const G1_OPS: ReadonlySet<unknown> = new Set(['DELTA', 'EVENT', 'ERROR', 'CLOSE'])

const G2_OPS: ReadonlySet<unknown> = new Set(['delta', 'event', 'error', 'close'])

const G4_OPS: ReadonlySet<unknown> = new Set([
  'thought',
  'tool_call',
  'ui_mount',
  'state_delta',
  'epistemic',
  'suspense_mount',
])

const G3_SEVERITIES: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'critical'])

/**
 * Which generation a packet claims to be, by its own keys alone; the SSE event name says nothing
 * (CAP section 2). Undefined when it claims none. What it claims may still be malformed.
 */
export function detectGeneration(packet: JsonObject): Generation | undefined {
  const { op } = packet
  if (G1_OPS.has(op)) return 'G1'
  if (G4_OPS.has(op)) return 'G4'
  if (G2_OPS.has(op)) {
    if (typeof packet.timestamp === 'number') return 'G4'
    return op === 'error' && isG3Error(packet.p) ? 'G3' : 'G2'
  }
  if (op !== undefined) return undefined
  if (typeof packet.event === 'string' && packet.data !== undefined) return 'G2s'
  return packet.specversion === '1.0' ? 'G0' : undefined
}

function isG3Error(p: unknown): boolean {
  if (typeof p !== 'object' || p === null) return false
  // Two keys are read from an object of unknown shape; each is checked right here.
  const { code, severity } = p as { code?: unknown; severity?: unknown }
  return Number.isInteger(code) && G3_SEVERITIES.has(severity)
}
