import type { Problem } from './field-problem.ts'
import type { NumberField, TextField } from './form-field.ts'
import { fromLocalTime, isDate } from './local-time.ts'
import { canRunPattern, compile } from './pattern-cost.ts'

/** What is wrong with a text that is not empty, or was not at the beginning. */
export function checkText(field: TextField, text: string): Problem | undefined {
  const { format, minLength = 0, maxLength = Infinity, pattern } = field
  // JSON Schema counts code points.
  const length = Array.from(text).length
  if (length < minLength) return { code: 'minLength', limit: minLength }
  if (length > maxLength) return { code: 'maxLength', limit: maxLength }
  if (format !== undefined && !FORMATS[format](text)) return { code: format }
  if (pattern !== undefined && canRunPattern(pattern, text.length) && compile(pattern)?.test(text) === false)
    return { code: 'pattern' }
  return undefined
}

/** An address with a name, and a host whose labels are as DNS takes them. */
const EMAIL =
  /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
/** A scheme, and no character that has to be escaped. */
const URI = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]+$/i

const FORMATS: Readonly<Record<NonNullable<TextField['format']>, (text: string) => boolean>> = {
  email: (text) => text.length <= 320 && EMAIL.test(text),
  uri: (text) => URI.test(text) && isUrl(text),
  date: isDate,
  'date-time': (text) => fromLocalTime(text) !== undefined,
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== ''
  } catch {
    return false
  }
}

/** What is wrong with a number that was entered. */
export function checkNumber(field: NumberField, entry: string): Problem | undefined {
  const { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity, multipleOf } = field
  const value = Number(entry)
  if (entry.trim() === '' || !Number.isFinite(value)) return { code: 'number' }
  if (field.isInteger && !Number.isInteger(value)) return { code: 'integer' }
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(entry)) return { code: 'digits' }
  if (value < minimum) return { code: 'minimum', limit: minimum }
  if (value > maximum) return { code: 'maximum', limit: maximum }
  if (value <= above) return { code: 'above', limit: above }
  if (value >= below) return { code: 'below', limit: below }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return { code: 'multipleOf', limit: multipleOf }
  return undefined
}

/** Decimal fractions such as 0.1 are not exact, so neither is their quotient. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}
