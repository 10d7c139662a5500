import { withoutPrototypeKeys } from '../../../base/bounded-json.ts'
import {
  canonicalDateTime,
  canonicalInteger,
  canonicalUuid,
  type Generation,
  detectGeneration,
} from '../values/scalars.ts'
import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'
import {
  kindOf,
  PacketFault,
  type CapPacket,
  type CapPacketOf,
  type ReadingMode,
  readPlainDelta,
  parsePacket,
  readUsual,
} from './usual-packet.ts'
import {
  asDateTime,
  asInteger,
  asList,
  asNumber,
  asObject,
  asText,
  asTextOrObject,
  asTextOrObjectOrNull,
  asUuid,
  type ValueReader,
} from './shape.ts'
import type { StreamError, StreamErrorSeverity } from '../schema/packet.ts'

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

/** A packet of any generation that `readUsual` does not read. @param text what it was parsed of @throws PacketFault */
export function readRare(packet: JsonObject, mode: ReadingMode, text: string): CapPacket {
  withoutPrototypeKeys(packet, text)
  const event = readEvent(packet)
  if (event !== undefined) return event
  const keys = createKeyReader(packet, text)
  const generation = detectGeneration(packet)
  switch (generation) {
    case 'G1':
      return readNumbered(keys, packet.op, mode)
    case 'G2':
    case 'G3':
    case 'G4':
      return readUnnumbered(generation, keys, packet, mode)
    case 'G2s':
      return fromNamed(keys.read('event', asText), keys.read('data', asTextOrObject))
    case 'G0':
      return fromCloudEvent(keys.read('type', asText), packet)
    case undefined:
      throw unrecognised(packet, text)
  }
}

/** Most of them are G1 EVENTs. */
function readEvent(packet: JsonObject): CapPacketOf<'EVENT'> | undefined {
  const { op, p } = packet
  if (op !== 'EVENT' || !isJsonObject(p)) return undefined
  const stream_id = canonicalUuid(packet.stream_id)
  const seq = canonicalInteger(packet.seq)
  const t = canonicalDateTime(packet.t)
  if (stream_id === undefined || seq === undefined || t === undefined) return undefined
  return { generation: 'G1', op, stream_id, seq, t, p }
}

/** G1. The wire takes more than the models do: unknown keys, and a CLOSE without `p` (CAP section 5, last paragraphs). */
function readNumbered(keys: KeyReader, op: unknown, mode: ReadingMode): CapPacket {
  const place = {
    generation: 'G1',
    stream_id: keys.read('stream_id', asUuid),
    seq: keys.read('seq', asInteger),
    t: keys.read('t', asDateTime),
  } as const
  if (op === 'DELTA') return { ...place, op, p: keys.read('p', asText) }
  if (op === 'EVENT') return { ...place, op, p: keys.read('p', asObject) }
  if (op === 'ERROR') return { ...place, op, p: keys.read('p', asStreamError('G1', mode)) }
  return { ...place, op: 'CLOSE', p: keys.readIfAny('p', asTextOrObjectOrNull) }
}

/** G2, G3 and G4: lower-case ops, no numbers; severities in every spelling. */
function readUnnumbered(generation: Generation, keys: KeyReader, packet: JsonObject, mode: ReadingMode): CapPacket {
  switch (packet.op) {
    case 'delta':
      return { generation, op: 'DELTA', p: keys.read('p', asText) }
    case 'event': {
      // Its own writer leaves null out, as it does of a CLOSE.
      const p = keys.readIfAny('p', asTextOrObjectOrNull)
      return { generation, op: 'EVENT', p: isJsonObject(p) ? p : typeof p === 'string' ? { data: p } : {} }
    }
    case 'error':
      return { generation, op: 'ERROR', p: keys.read('p', asStreamError('any', mode)) }
    case 'close':
      return { generation, op: 'CLOSE', p: keys.readIfAny('p', asTextOrObjectOrNull) }
    default:
      keys.read('timestamp', asNumber)
      return { generation, op: 'EVENT', p: fromFurtherOp(String(packet.op), keys, packet) }
  }
}

/** The ops that only G4 has, as events. */
function fromFurtherOp(op: string, keys: KeyReader, packet: JsonObject): JsonObject {
  if (op === 'thought') return { type: 'THOUGHT_TRACE', data: { thought: keys.read('p', asText) } }
  if (op === 'tool_call' || op === 'ui_mount') keys.read('p', asObject)
  if (op === 'state_delta') keys.read('p', asList)
  return { type: op.toUpperCase(), data: packet.p }
}

/** G2s names its packets freely; of the names seen, `token` is text and `error` an error of any shape. */
function fromNamed(event: string, data: string | JsonObject): CapPacket {
  if (event === 'token' && typeof data === 'string') return { generation: 'G2s', op: 'DELTA', p: data }
  if (event === 'error')
    return { generation: 'G2s', op: 'ERROR', p: readStreamError(data, 'any') ?? unstructuredError(data) }
  return { generation: 'G2s', op: 'EVENT', p: { type: event, data } }
}

/** Text is in `data.chunk` (documents) or `data.gen_ai.completion.chunk` (code): CAP section 7, row 25. */
function fromCloudEvent(type: string, event: JsonObject): CapPacket {
  const generation = 'G0'
  if (type === 'ai.coreason.node.stream' && isJsonObject(event.data)) {
    const { chunk, gen_ai } = event.data
    const completion = isJsonObject(gen_ai) ? gen_ai.completion : undefined
    const p = chunk ?? (isJsonObject(completion) ? completion.chunk : undefined)
    if (typeof p === 'string') return { generation, op: 'DELTA', p }
  }
  return { generation, op: 'EVENT', p: event }
}

/** The beginning of a packet, as one line. */
function beginningOf(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40).replace(/\s+/g, ' ')}…` : text.replace(/\s+/g, ' ')
}

function unrecognised(packet: JsonObject, text: string): PacketFault {
  const { op } = packet
  if (typeof op === 'string')
    return new PacketFault(
      'unknown_op',
      `The packet has the op ${JSON.stringify(op.slice(0, 40))}, which CAP does not know.`,
      text,
    )
  const why = op === undefined ? '"op" is missing' : `"op" must be a string, but is ${kindOf(op)}`
  return new PacketFault(
    'invalid_packet',
    `Received ${beginningOf(text)}: not a CAP packet (${why}). If this is an OpenAI or AI SDK stream, serve it with createAgentHandler.`,
    text,
  )
}

/** Reads the keys of one packet; what cannot be read becomes a {@link PacketFault} that names the key. */
interface KeyReader {
  read<Value>(key: string, reader: ValueReader<Value>): Value
  /** The same for a key that may be absent or null. */
  readIfAny<Value>(key: string, reader: ValueReader<Value | null>): Value | undefined
}

function createKeyReader(packet: JsonObject, text: string): KeyReader {
  const read = <Value>(key: string, { read: readValue, must }: ValueReader<Value>): Value => {
    const found = packet[key]
    const value = readValue(found)
    if (value !== undefined) return value
    const name = typeof packet.op === 'string' ? `${packet.op} packet` : 'packet'
    throw new PacketFault(
      'invalid_packet',
      `This ${name} cannot be read: "${key}" ${must}, but ${found === undefined ? 'is missing' : `is ${kindOf(found)}`}.`,
      text,
    )
  }
  return {
    read,
    readIfAny: (key, reader) => (packet[key] === undefined ? undefined : (read(key, reader) ?? undefined)),
  }
}

/** An error as RFC 005 words it; in tolerant mode anything else is wrapped (CAP section 7, row 18). */
function asStreamError(dialect: 'G1' | 'any', mode: ReadingMode): ValueReader<StreamError> {
  return {
    read: (value) => readStreamError(value, dialect) ?? (mode === 'tolerant' ? unstructuredError(value) : undefined),
    must: 'must be a StreamError: code, message and severity',
  }
}

/**
 * Reads the data of one SSE frame as a packet of any generation (CAP sections 2, 3.1, 7).
 * Unknown keys never matter. Throws only {@link PacketFault}. The modes differ in one thing: an
 * ERROR without the structure of RFC 005 is refused in `strict`, and in `tolerant` becomes a FATAL
 * error of code `unstructured_error`. Leaving out a faulty packet is up to the caller.
 */
export function readPacket(text: string, mode: ReadingMode): CapPacket {
  const delta = readPlainDelta(text)
  if (delta !== undefined) return delta
  const packet = parsePacket(text)
  return readUsual(packet) ?? readRare(packet, mode, text)
}
