import type * as z from 'zod/mini'
import { parseShallowJson, withoutPrototypeKeys } from './bounded-json.ts'
import { canonicalDateTime } from './canonical-date-time.ts'
import type { Generation } from './generation.ts'
import { detectGeneration } from './generation.ts'
import type { JsonObject } from './json-object.ts'
import { isJsonObject } from './json-object.ts'
import { PacketFault } from './packet-fault.ts'
import { canonicalInteger, canonicalUuid } from './scalars.ts'
import { readStreamError, unstructuredError } from './wire-error.ts'
import type { CapPacket, CapPacketOf, LowerPacket, ReadingMode } from './wire-packet.ts'
import { cloudPacketSchema, namedPacketSchema, wireSchemas } from './wire-packet.ts'

export { PacketFault } from './packet-fault.ts'

/**
 * Reads the data of one SSE frame as a packet of any generation (CAP sections 2, 3.1, 7).
 * Unknown keys never matter. Throws only {@link PacketFault}. The modes differ in one thing: an
 * ERROR without the structure of RFC 005 is refused in `strict`, and in `tolerant` becomes a FATAL
 * error of code `unstructured_error`. Leaving out a faulty packet is up to the caller.
 */
export function readPacket(text: string, mode: ReadingMode): CapPacket {
  const value = parse(text)
  if (!isJsonObject(value)) throw new PacketFault('invalid_packet', `A packet must be a JSON object, but this is ${kindOf(value)}.`, text)
  return readUsual(value, text) ?? readAny(value, mode, text)
}

function parse(text: string): unknown {
  try {
    return parseShallowJson(text)
  } catch (cause) {
    const why = cause instanceof RangeError ? cause.message : 'the text is malformed or cut off'
    throw new PacketFault('invalid_json', `The packet is not readable JSON: ${why}.`, text, cause)
  }
}

/** Nearly every packet of a stream is a G1 DELTA, and most others are EVENTs: read by hand, with the verdict the schema gives. */
function readUsual(packet: JsonObject, text: string): CapPacketOf<'DELTA' | 'EVENT'> | undefined {
  const { op, p } = packet
  if (op !== 'DELTA' && op !== 'EVENT') return undefined
  const stream_id = canonicalUuid(packet.stream_id)
  const seq = canonicalInteger(packet.seq)
  const t = canonicalDateTime(packet.t)
  if (stream_id === undefined || seq === undefined || t === undefined) return undefined
  // Of a DELTA no key leaves this function, so none needs a look.
  if (op === 'DELTA') return typeof p === 'string' ? { generation: 'G1', op, stream_id, seq, t, p } : undefined
  withoutPrototypeKeys(p, text)
  return isJsonObject(p) ? { generation: 'G1', op, stream_id, seq, t, p } : undefined
}

function readAny(packet: JsonObject, mode: ReadingMode, text: string): CapPacket {
  withoutPrototypeKeys(packet, text)
  const generation = detectGeneration(packet)
  switch (generation) {
    case 'G1': {
      const read = check(wireSchemas[mode].upper, packet, text)
      return read.op === 'CLOSE' ? { generation, ...read, p: read.p ?? undefined } : { generation, ...read }
    }
    case 'G2':
    case 'G3':
    case 'G4':
      return fromLower(generation, check(wireSchemas[mode].lower, packet, text))
    case 'G2s': {
      const { event, data } = check(namedPacketSchema, packet, text)
      return fromNamed(event, data)
    }
    case 'G0':
      return fromCloudEvent(check(cloudPacketSchema, packet, text))
    case undefined:
      throw unrecognised(packet, text)
  }
}

function fromLower(generation: Generation, packet: LowerPacket): CapPacket {
  switch (packet.op) {
    case 'delta':
      return { generation, op: 'DELTA', p: packet.p }
    case 'event':
      return { generation, op: 'EVENT', p: isJsonObject(packet.p) ? packet.p : packet.p === null ? {} : { data: packet.p } }
    case 'error':
      return { generation, op: 'ERROR', p: packet.p }
    case 'close':
      return { generation, op: 'CLOSE', p: packet.p ?? undefined }
    case 'thought':
      return { generation, op: 'EVENT', p: { type: 'THOUGHT_TRACE', data: { thought: packet.p } } }
    default:
      return { generation, op: 'EVENT', p: { type: packet.op.toUpperCase(), data: packet.p } }
  }
}

/** G2s names its packets freely; of the names seen, `token` is text and `error` an error of any shape. */
function fromNamed(event: string, data: string | JsonObject): CapPacket {
  if (event === 'token' && typeof data === 'string') return { generation: 'G2s', op: 'DELTA', p: data }
  if (event === 'error') return { generation: 'G2s', op: 'ERROR', p: readStreamError(data, 'any') ?? unstructuredError(data) }
  return { generation: 'G2s', op: 'EVENT', p: { type: event, data } }
}

/** Text stands in `data.chunk` (documents) or `data.gen_ai.completion.chunk` (code): CAP section 7, row 25. */
function fromCloudEvent(event: JsonObject & { type: string }): CapPacket {
  const generation = 'G0'
  if (event.type === 'ai.coreason.node.stream' && isJsonObject(event.data)) {
    const { chunk, gen_ai } = event.data
    const completion = isJsonObject(gen_ai) ? gen_ai.completion : undefined
    const p = chunk ?? (isJsonObject(completion) ? completion.chunk : undefined)
    if (typeof p === 'string') return { generation, op: 'DELTA', p }
  }
  return { generation, op: 'EVENT', p: event }
}

function check<T extends z.ZodMiniType>(schema: T, packet: JsonObject, text: string): z.output<T> {
  const result = schema.safeParse(packet)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path ?? []
  const found = path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[String(key)] : undefined), packet)
  const name = typeof packet.op === 'string' ? `${packet.op} packet` : 'packet'
  throw new PacketFault('invalid_packet', `This ${name} cannot be read: "${path.join('.')}" ${issue?.message}, but ${found === undefined ? 'is missing' : `is ${kindOf(found)}`}.`, text)
}

function unrecognised(packet: JsonObject, text: string): PacketFault {
  const { op } = packet
  if (typeof op === 'string') return new PacketFault('unknown_op', `The packet has the op ${JSON.stringify(op.slice(0, 40))}, which CAP does not know.`, text)
  const why = op === undefined ? '"op" is missing' : `"op" must be a string, but is ${kindOf(op)}`
  return new PacketFault('invalid_packet', `This is no packet of any CAP generation: ${why}.`, text)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
