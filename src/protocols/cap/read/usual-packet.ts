import { parseShallowJson } from '../../../base/bounded-json.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { canonicalDateTime } from '../values/canonical-date-time.ts'
import { canonicalInteger, canonicalUuid } from '../values/scalars.ts'
import { kindOf } from './kind-of.ts'
import { PacketFault } from './packet-fault.ts'
import type { CapPacketOf } from './wire-packet.ts'

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
