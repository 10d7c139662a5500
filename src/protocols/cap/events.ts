import type { AgentEvent } from '../../seam/agent-event.ts'
import type { CapPacketOf } from './read/wire-packet.ts'

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
