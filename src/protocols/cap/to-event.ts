import { isJsonObject } from '../../base/json-object.ts'
import { retryAfterOf } from '../../wire/http-errors.ts'
import type { AgentEvent } from '../agent-event.ts'
import { createCapError } from './errors.ts'
import { usualEvent } from './events.ts'
import { toPart } from './presentation/presentation-part.ts'
import { readPromptEvent } from './presentation/prompt-event.ts'
import type { CapPacket } from './read/wire-packet.ts'

export interface EventContext {
  readonly streamId: string
  /** Number of the packet on this connection, to name parts that bring no id and no seq. */
  readonly ordinal: number
  /** How many milliseconds the clock of this device is ahead of the server's. @default 0 */
  readonly ahead?: number | undefined
}

/** Any packet as a neutral event. */
export function toEvent(packet: CapPacket, { streamId, ordinal, ahead = 0 }: EventContext): AgentEvent {
  if (packet.op === 'DELTA' || packet.op === 'CLOSE') return usualEvent(packet, streamId)
  if (packet.op === 'EVENT') {
    const { type, id, data } = packet.p
    const asked = type === 'PROMPT' && isJsonObject(data) ? readPromptEvent(id, streamId, data, ahead) : undefined
    if (asked !== undefined) return asked
    const { partId, part } = toPart(packet.p)
    return { type: 'part', streamId, partId: partId ?? `packet-${packet.seq ?? ordinal}`, part }
  }
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
