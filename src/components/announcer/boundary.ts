import type { Connection } from '../../session/connection.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { isDown } from '../internals/reconnect-attempt.ts'

/** Where a run stands, in as many steps as are worth a word. */
export type Boundary = 'generating' | 'restarted' | 'complete' | 'stopped' | 'incomplete' | 'failed' | 'notSent'

export function boundaryOf({ status, messages }: ChatSnapshot): Boundary | undefined {
  const last = messages.at(-1)
  if (status === 'submitted' || status === 'streaming') return last?.restarted ? 'restarted' : 'generating'
  switch (last?.status) {
    case 'complete':
    case 'stopped':
    case 'incomplete':
    case 'failed':
      return last.status
    case 'not-sent':
      return 'notSent'
    default:
      return status === 'error' ? 'failed' : undefined
  }
}

/** The run under way. */
export function runOf({ status, messages }: ChatSnapshot): string | undefined {
  if (status !== 'submitted' && status !== 'streaming') return undefined
  return messages.at(-1)?.requestId ?? messages.findLast(({ role }) => role === 'user')?.id
}

/** Whether an answer is under way. */
export function isUnderWay(boundary: Boundary | undefined): boolean {
  return boundary === 'generating' || boundary === 'restarted'
}

/** Trouble of the line that is worth a word when it lasts. */
export type Trouble = 'connecting' | 'reconnecting' | 'offline' | 'queued' | 'paused'

export function troubleOf(line: Connection): Trouble | undefined {
  const { phase, hasOpened } = line
  if (phase === 'offline' || phase === 'queued' || phase === 'paused') return phase
  return isDown(line) ? (hasOpened ? 'reconnecting' : 'connecting') : undefined
}
