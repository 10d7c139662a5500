import * as z from 'zod/mini'
import { jsonObject, text } from './json-schemas.ts'
import type { ReadingOptions } from './scalar-schemas.ts'
import { createScalars } from './scalar-schemas.ts'
import { streamErrorSchema } from './stream-error.ts'

export { detectGeneration } from '../values/generation.ts'
export type { Generation } from '../values/generation.ts'
export { streamErrorSchema } from './stream-error.ts'
export type { StreamError, StreamErrorSeverity } from './stream-error.ts'

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
