import * as z from 'zod/mini'
import { jsonObject, text, type ReadingOptions, createScalars, optional } from './scalar-schemas.ts'

/** What an ERROR packet carries (RFC 005 section 1; CAP section 3.2): four keys, no others. */
export const streamErrorSchema = /* @__PURE__ */ z.strictObject(
  {
    /** For machines, by convention snake_case: `rate_limit_exceeded`. */
    code: text,
    /** For people. */
    message: text,
    severity: z.enum(['FATAL', 'TRANSIENT', 'WARNING'], 'must be FATAL, TRANSIENT or WARNING'),
    /** `retry_after` in seconds, and whatever else helps. */
    details: optional(jsonObject),
  },
  'must be a StreamError (code, message, severity, details) and nothing else',
)

export { detectGeneration, type Generation } from '../values/scalars.ts'

const textOrObject = /* @__PURE__ */ z.union([text, jsonObject], 'must be a string or an object')

/** Makes the schema of record with other reading options. */
// @__NO_SIDE_EFFECTS__
export function createStreamPacketSchema(options: ReadingOptions = {}) {
  const { uuid, integer, dateTime } = createScalars(options)
  const place = { stream_id: uuid, seq: integer, t: dateTime }
  return z.discriminatedUnion(
    'op',
    [
      z.strictObject({ ...place, op: z.literal('DELTA'), p: text }),
      z.strictObject({ ...place, op: z.literal('EVENT'), p: jsonObject }),
      z.strictObject({ ...place, op: z.literal('ERROR'), p: streamErrorSchema }),
      z.strictObject({ ...place, op: z.literal('CLOSE'), p: textOrObject }),
    ],
    'must be DELTA, EVENT, ERROR or CLOSE',
  )
}

/**
 * StreamPacket, the schema of record: generation G1b, RFC 004 with RFC 005 (CAP section 3.1). Five
 * keys, no others; an ERROR carries only a StreamError. What servers must write; clients
 * read with `readPacket`, which takes more.
 */
export const streamPacketSchema = /* @__PURE__ */ createStreamPacketSchema()

/** One packet of an answer, as RFC 004 and RFC 005 define it. */
export type StreamPacket = z.output<typeof streamPacketSchema>

/** How bad a {@link StreamError} is and what a client does about it (RFC 005). */
export type StreamErrorSeverity = 'FATAL' | 'TRANSIENT' | 'WARNING'

/** An error of the stream itself, as RFC 005 defines it. */
export type StreamError = z.output<typeof streamErrorSchema>
