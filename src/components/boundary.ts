import type { Connection } from '../session/connection.ts'
import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import { isRunning } from '../state/chat-snapshot.ts'
import { undecidedPrompts } from '../state/prompts.ts'
import { needsApproval } from '../seam/prompt.ts'
import { isDown } from './internals/reconnect-attempt.ts'
import { isEmptyAnswer } from './message/live-status.ts'

/** State of the newest answer, as far as it is announced. */
export type Boundary =
  | 'generating'
  | 'asked'
  | 'approval'
  | 'restarted'
  | 'complete'
  | 'cancelling'
  | 'stopped'
  | 'left'
  | 'incomplete'
  | 'failed'
  | 'noResponse'
  | 'notSent'
  | 'mayHaveArrived'

export function boundaryOf({ status, messages }: ChatSnapshot): Boundary | undefined {
  const last = messages.at(-1)
  if (status === 'awaiting-input') return isApprovalAwaited(messages) ? 'approval' : 'asked'
  if (status === 'submitted' || status === 'streaming') return last?.restarted ? 'restarted' : 'generating'
  switch (last?.status) {
    case 'stopped':
      return last.stop === 'cancelling' || last.stop === 'left' ? last.stop : 'stopped'
    case 'failed':
    case 'incomplete':
      return isEmptyAnswer(last) ? 'noResponse' : last.status
    case 'complete':
      return last.status
    case 'not-sent':
      return last.error?.code === 'delivery_unknown' ? 'mayHaveArrived' : 'notSent'
    default:
      return status === 'error' ? 'noResponse' : undefined
  }
}

/** Whether the prompt that is shown first asks the user to allow something. */
function isApprovalAwaited(messages: ChatSnapshot['messages']): boolean {
  const [first] = undecidedPrompts(messages).filter(({ prompt }) => prompt.state !== 'sending')
  return first !== undefined && needsApproval(first.prompt.kind)
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

/** Whether the agent waits for the user. */
export function isAsking(boundary: Boundary | undefined): boundary is 'asked' | 'approval' {
  return boundary === 'asked' || boundary === 'approval'
}

/** Whether the answer ended without its own end. */
export function isBroken(boundary: Boundary | undefined): boolean {
  return boundary === 'incomplete' || boundary === 'failed' || boundary === 'noResponse'
}

/** Trouble of the connection that is announced when it lasts. */
export type Trouble = 'connecting' | 'reconnecting' | 'offline' | 'queued' | 'paused'

export function troubleOf(connection: Connection): Trouble | undefined {
  const { phase, hasOpened } = connection
  if (phase === 'offline' || phase === 'queued' || phase === 'paused') return phase
  return isDown(connection) ? (hasOpened ? 'reconnecting' : 'connecting') : undefined
}
