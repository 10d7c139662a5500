import type { Connection } from '../../session/connection.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { isRunning } from '../../state/is-running.ts'
import { isDown } from '../internals/reconnect-attempt.ts'

/** State of the newest answer, as far as it is announced. */
export type Boundary =
  | 'generating'
  | 'asked'
  | 'restarted'
  | 'complete'
  | 'cancelling'
  | 'stopped'
  | 'left'
  | 'incomplete'
  | 'failed'
  | 'notSent'
  | 'mayHaveArrived'

export function boundaryOf({ status, messages }: ChatSnapshot): Boundary | undefined {
  const last = messages.at(-1)
  if (status === 'awaiting-input') return 'asked'
  if (status === 'submitted' || status === 'streaming') return last?.restarted ? 'restarted' : 'generating'
  switch (last?.status) {
    case 'stopped':
      return last.stop === 'cancelling' || last.stop === 'left' ? last.stop : 'stopped'
    case 'complete':
    case 'incomplete':
    case 'failed':
      return last.status
    case 'not-sent':
      return last.error?.code === 'delivery_unknown' ? 'mayHaveArrived' : 'notSent'
    default:
      return status === 'error' ? 'failed' : undefined
  }
}

/** The id of the active run. */
export function runIdOf(snapshot: ChatSnapshot): string | undefined {
  if (!isRunning(snapshot)) return undefined
  const { messages } = snapshot
  return messages.at(-1)?.requestId ?? messages.findLast(({ role }) => role === 'user')?.id
}

/** Whether an answer is being generated. */
export function isAnswering(boundary: Boundary | undefined): boolean {
  return boundary === 'generating' || boundary === 'restarted'
}

/** Trouble of the connection that is announced when it lasts. */
export type Trouble = 'connecting' | 'reconnecting' | 'offline' | 'queued' | 'paused'

export function troubleOf(connection: Connection): Trouble | undefined {
  const { phase, hasOpened } = connection
  if (phase === 'offline' || phase === 'queued' || phase === 'paused') return phase
  return isDown(connection) ? (hasOpened ? 'reconnecting' : 'connecting') : undefined
}
