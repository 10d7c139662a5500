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
