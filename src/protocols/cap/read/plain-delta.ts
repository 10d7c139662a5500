import { USUAL_DATE_TIME, usualDateTime } from '../values/canonical-date-time.ts'
import { DASHED_UUID, uuidAt } from '../values/scalars.ts'
import type { CapPacketOf } from './wire-packet.ts'

const JSON_STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`
/** A short G1 DELTA as most servers write it: these keys in this order, no spaces or one behind each colon and comma. */
const PLAIN_DELTA = new RegExp(
  String.raw`^\{"stream_id":( ?)"${DASHED_UUID}",\1"seq":\1(?:0|[1-9]\d{0,14}),\1"op":\1"DELTA",\1"t":\1"${USUAL_DATE_TIME}",\1"p":\1${JSON_STRING}\}$`,
)

/** The expression takes memory for each character of a string: a text of megabytes would be more than there is. */
const MOST_CHARACTERS = 4096
const SPACE = 32
const ZERO = 48
const NINE = 57
const UUID_AT = '{"stream_id":"'.length
const SEQ_AT = UUID_AT + '00000000-0000-0000-0000-000000000000","seq":'.length
const BEFORE_T = ',"op":"DELTA","t":"'.length
const BEFORE_P = '","p":'.length

/**
 * Reads the data of a frame that is such a DELTA, as `readPacket` does, but makes no object of its JSON first, which takes twice as long.
 * Undefined for any other text.
 */
export function readPlainDelta(text: string): CapPacketOf<'DELTA'> | undefined {
  if (text.length > MOST_CHARACTERS || !PLAIN_DELTA.test(text)) return undefined
  const space = text.charCodeAt(UUID_AT - 1) === SPACE ? 1 : 0
  let seq = 0
  let at = SEQ_AT + 3 * space
  for (let digit = text.charCodeAt(at); digit >= ZERO && digit <= NINE; digit = text.charCodeAt(at)) {
    seq = 10 * seq + digit - ZERO
    at += 1
  }
  // V8 joins the two into its own string before it cuts: a packet that is kept must not keep the whole chunk.
  const own = ` ${text.slice(at + BEFORE_T + 4 * space, -1)}`
  const tEnd = own.indexOf('"')
  const p = tEnd + BEFORE_P + 2 * space
  return {
    generation: 'G1',
    op: 'DELTA',
    stream_id: uuidAt(text, UUID_AT + space),
    seq,
    t: usualDateTime(own, 1, tEnd),
    // Only a text with a backslash has to be read as JSON; it was matched, so it is a string.
    p: own.includes('\\', p) ? (JSON.parse(own.slice(p)) as string) : own.slice(p + 1, -1),
  }
}
