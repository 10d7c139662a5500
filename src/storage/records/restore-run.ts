import type { AgentClient } from '../../session/agent-client.ts'
import type { ChatStatus } from '../../state/chat-snapshot.ts'
import type { ChatState } from '../../state/chat-state.ts'
import { canResumeTurn, endTurn } from '../../state/conversation.ts'

const LEFT = {
  kind: 'connection',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The page was closed before the agent had finished, so the answer is not complete.',
} as const

export interface RestoreRunOptions {
  readonly protocol: AgentClient['protocol']
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether the run was left too long ago to go on without being asked to. */
  readonly isOld: boolean
}

/**
 * How a chat begins that another page left: its run is live, unless it was left too long ago, when only a person should
 * let it go on, or its protocol has no cursors to go on from, when asking again could only double the text. Pure.
 */
export function restoreRun(state: ChatState, { protocol, now, isOld }: RestoreRunOptions): ChatState {
  const { run, messages } = state
  if (run === undefined) return state
  const cursors = [...run.resumePoint.streams].map(([streamId, { seq }]) => ({ streamId, seq }))
  const isLost = cursors.length > 0 && protocol.canResume?.(cursors) === false
  if (!isLost && (run.ended || !isOld)) return state
  const error = protocol.createError(isLost ? { ...LEFT, severity: 'FATAL' } : LEFT)
  const ended = endTurn({ messages, turn: run.turn }, { type: 'failed', error }, now)
  return { ...state, messages: ended.messages, error, run: !isLost && canResumeTurn(ended) ? { ...run, ended: true } : undefined }
}

/** What a chat of this state says it does before anybody has taken it up. */
export function statusOf({ run, error }: ChatState): ChatStatus {
  if (run !== undefined && !run.ended) return run.turn.streams.size > 0 ? 'streaming' : 'submitted'
  return error === undefined ? 'ready' : 'error'
}
