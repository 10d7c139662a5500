import { readPlainDelta } from './plain-delta.ts'
import { readRare } from './rare-packet.ts'
import { parsePacket, readUsual } from './usual-packet.ts'
import type { CapPacket, ReadingMode } from './wire-packet.ts'

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
