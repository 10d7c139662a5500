import * as z from 'zod/mini'
import { jsonObject, text, createScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { uuid, integer, dateTime } = createScalars({})
const place = { stream_id: uuid, seq: integer, t: dateTime }
const textOrObject = z.union([text, jsonObject], 'must be a string or an object')

/** Generation G1a, before RFC 005: an ERROR carries a string or any object. */
export const streamPacketG1aSchema = z.discriminatedUnion(
  'op',
  [
    z.strictObject({ ...place, op: z.literal('DELTA'), p: text }),
    z.strictObject({ ...place, op: z.literal('EVENT'), p: jsonObject }),
    z.strictObject({ ...place, op: z.literal('ERROR'), p: textOrObject }),
    z.strictObject({ ...place, op: z.literal('CLOSE'), p: textOrObject }),
  ],
  'must be DELTA, EVENT, ERROR or CLOSE',
)
