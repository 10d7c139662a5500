import type { AgentEvent } from '../agent-event.ts'
import type { Delivery } from '../protocol.ts'
import { createCapError } from './errors.ts'
import { retryAfterOf } from '../../wire/http-errors.ts'
import { toPart } from './presentation/presentation-part.ts'
import { readPromptEvent } from './presentation/prompt-event.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { CapPacket } from './read/wire-packet.ts'

/** Generations without stream ids have one unnamed stream. */
export const ONLY_STREAM = 'stream'

/** Streams begin with packet 1 by the documented examples, and 0 is admitted. */
export const FIRST_SEQ = 1

/**
 * One packet as neutral events.
 * @param ordinal number of the packet on this connection, to name parts that bring no id and no seq
 * @param bytes size of the packet as it came
 * @param stream the stream of a packet that names none
 * @param ahead how many milliseconds the clock of this device is ahead of the server's
 */
export function toDelivery(
  packet: CapPacket,
  ordinal: number,
  bytes?: number,
  stream = ONLY_STREAM,
  ahead = 0,
): Delivery<CapPacket> {
  const streamId = packet.stream_id ?? stream
  const event = toEvent(packet, streamId, ordinal, ahead)
  // An error that only asks to come back proves nothing works: it must not reset the retry counter.
  return {
    event,
    cursor: { streamId, seq: packet.seq },
    progress: event.type !== 'stream-interrupted',
    source: packet,
    bytes,
  }
}

function toEvent(packet: CapPacket, streamId: string, ordinal: number, ahead: number): AgentEvent {
  switch (packet.op) {
    case 'DELTA':
      return { type: 'text', streamId, text: packet.p }
    case 'EVENT': {
      const { type, id, data } = packet.p
      const asked = type === 'PROMPT' && isJsonObject(data) ? readPromptEvent(id, streamId, data, ahead) : undefined
      if (asked !== undefined) return asked
      const { partId, part } = toPart(packet.p)
      return { type: 'part', streamId, partId: partId ?? `packet-${packet.seq ?? ordinal}`, part }
    }
    case 'CLOSE':
      return {
        type: 'stream-closed',
        streamId,
        reason: typeof packet.p === 'string' ? packet.p : undefined,
        outcome: packet.p === 'cancelled' ? 'cancelled' : undefined,
      }
    case 'ERROR': {
      const { code, message, severity, details } = packet.p
      const error = createCapError({
        kind: 'runtime',
        code: 'agent_error',
        severity,
        message: message === '' ? 'The agent reported an error and said nothing more about it.' : message,
        agentCode: code,
        retryAfterMs: retryAfterOf(details),
        details,
      })
      if (severity === 'WARNING') return { type: 'warning', streamId, error }
      return { type: severity === 'FATAL' ? 'stream-failed' : 'stream-interrupted', streamId, error }
    }
  }
}
