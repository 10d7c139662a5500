import { parseShallowJson } from '../../../base/bounded-json.ts'
import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'
import {
  canonicalDateTime,
  USUAL_DATE_TIME,
  usualDateTime,
  canonicalInteger,
  canonicalUuid,
  DASHED_UUID,
  uuidAt,
  type Generation,
} from '../values/scalars.ts'
import type { StreamError } from '../schema/packet.ts'
import type { AgentEvent } from '../../../seam/agent-event.ts'

/** The data of one SSE frame as an object, whose keys are as they were sent. @throws PacketFault */
export function parsePacket(text: string): JsonObject {
  const value = parse(text)
  if (isJsonObject(value)) return value
  throw new PacketFault('invalid_packet', `A packet must be a JSON object, but this is ${kindOf(value)}.`, text)
}

function parse(text: string): unknown {
  try {
    return parseShallowJson(text)
  } catch (cause) {
    const why = cause instanceof RangeError ? cause.message : 'the text is malformed or cut off'
    throw new PacketFault('invalid_json', `The packet is not readable JSON: ${why}.`, text, cause)
  }
}

/**
 * Nearly every packet of a stream is a G1 DELTA, and the last one is a CLOSE: read by hand, with the verdict the schema gives. No key of
 * it leaves this function, so none needs a look. Undefined for any other packet.
 */
export function readUsual(packet: JsonObject): CapPacketOf<'DELTA' | 'CLOSE'> | undefined {
  const { op, p } = packet
  if (op !== 'DELTA' && op !== 'CLOSE') return undefined
  const stream_id = canonicalUuid(packet.stream_id)
  const seq = canonicalInteger(packet.seq)
  const t = canonicalDateTime(packet.t)
  if (stream_id === undefined || seq === undefined || t === undefined) return undefined
  // Written out: copying an object costs as much as all else that is done for a packet.
  if (op === 'DELTA') return typeof p === 'string' ? { generation: 'G1', op, stream_id, seq, t, p } : undefined
  return typeof p === 'string' || p === undefined ? { generation: 'G1', op, stream_id, seq, t, p } : undefined
}

const PLAIN_DELTA = /* @__PURE__ */ plainDelta()

/** A short G1 DELTA as most servers write it: these keys in this order, no spaces or one behind each colon and comma. */
function plainDelta(): RegExp {
  const string = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`
  return new RegExp(
    String.raw`^\{"stream_id":( ?)"${DASHED_UUID}",\1"seq":\1(?:0|[1-9]\d{0,14}),\1"op":\1"DELTA",\1"t":\1"${USUAL_DATE_TIME}",\1"p":\1${string}\}$`,
  )
}

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

/** What a value is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Longest piece of a bad packet that is kept for the developer, in characters. */
const KEPT_CHARACTERS = 2_000

/** Why a packet could not be read. */
type PacketFaultCode = 'invalid_json' | 'invalid_packet' | 'unknown_op'

/** A packet that could not be read. `message` says which key was wrong; `raw` is its beginning, up to 2,000 characters. */
export class PacketFault extends Error {
  readonly code: PacketFaultCode
  readonly raw: string

  constructor(code: PacketFaultCode, message: string, raw: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PacketFault'
    this.code = code
    this.raw = raw.slice(0, KEPT_CHARACTERS)
  }
}

/** What every packet may say about its place, whatever its generation. Only G1 numbers its packets. */
interface CapPacketBase {
  generation: Generation
  /** Lower case with dashes, whatever was written. */
  stream_id?: string | undefined
  seq?: number | undefined
  /** Emission time in canonical ISO form. Never order by it (CAP section 7, row 32). */
  t?: string | undefined
}

/** A packet as the client reads it: one shape for all generations (CAP section 11, WirePacket). */
export type CapPacket = CapPacketBase &
  (
    | { op: 'DELTA'; p: string }
    | { op: 'EVENT'; p: JsonObject }
    | { op: 'ERROR'; p: StreamError }
    | { op: 'CLOSE'; p: string | JsonObject | undefined }
  )

/** The packets of one op. */
export type CapPacketOf<Op extends CapPacket['op']> = Extract<CapPacket, { op: Op }>

/** `strict` refuses errors that are no StreamError (RFC 005); `tolerant` wraps them (CAP section 7, row 18). */
export type ReadingMode = 'strict' | 'tolerant'

/** Generations without stream ids have one unnamed stream. */
export const ONLY_STREAM = 'stream'

/** Streams begin with packet 1 by the documented examples, and 0 is admitted. */
export const FIRST_SEQ = 1

/** What nearly every packet says: text, and the end of a stream. */
export function usualEvent(packet: CapPacketOf<'DELTA' | 'CLOSE'>, streamId: string): AgentEvent {
  if (packet.op === 'DELTA') return { type: 'text', streamId, text: packet.p }
  return {
    type: 'stream-closed',
    streamId,
    reason: typeof packet.p === 'string' ? packet.p : undefined,
    outcome: packet.p === 'cancelled' ? 'cancelled' : undefined,
  }
}
