import { isJsonObject } from '../../../base/json-object.ts'
import type { StreamError, StreamErrorSeverity } from '../schema/stream-error.ts'

/** G2 writes the words of RFC 005 in lower case. */
const NAMED: ReadonlyMap<unknown, StreamErrorSeverity> = new Map([
  ['FATAL', 'FATAL'],
  ['TRANSIENT', 'TRANSIENT'],
  ['WARNING', 'WARNING'],
  ['fatal', 'FATAL'],
  ['transient', 'TRANSIENT'],
  ['warning', 'WARNING'],
])

/** G3 and G4 grade instead; nothing upstream says what a grade means for a client (CAP section 3.2). */
const GRADED: ReadonlyMap<unknown, StreamErrorSeverity> = new Map([
  ['low', 'WARNING'],
  ['medium', 'WARNING'],
  ['high', 'TRANSIENT'],
  ['critical', 'FATAL'],
])

/**
 * A structured error of any generation as RFC 005 words it; undefined when it has no such structure.
 * A text code goes with a named severity; a numeric code (G3, G4) with a graded one.
 */
export function readStreamError(value: unknown, dialect: 'G1' | 'any'): StreamError | undefined {
  if (!isJsonObject(value) || typeof value.message !== 'string') return undefined
  const graded = dialect === 'any' && Number.isSafeInteger(value.code)
  if (!graded && typeof value.code !== 'string') return undefined
  const severity = (graded ? GRADED : NAMED).get(value.severity)
  if (severity === undefined) return undefined
  const details = value.details ?? undefined
  if (details !== undefined && !isJsonObject(details)) return undefined
  return { code: String(value.code), message: value.message, severity, details }
}

/** What tolerant reading makes of an error that RFC 005 forbids: FATAL, for nothing says it is less (CAP section 7, row 18). */
export function unstructuredError(value: unknown): StreamError {
  const said = isJsonObject(value) ? (value.message ?? value.error ?? value.detail) : value
  return {
    code: 'unstructured_error',
    message: typeof said === 'string' && said !== '' ? said : 'The agent reported an error without a readable message.',
    severity: 'FATAL',
    details: isJsonObject(value) ? value : undefined,
  }
}
