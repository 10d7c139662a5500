import type { Prompt } from '../../seam/prompt.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import type { ChatStatus, ChatState } from '../../state/chat-snapshot.ts'
import { movePrompt, awaitedPrompts, changePrompts, isAwaitingInput } from '../../state/prompts.ts'
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
  /** Whether the run was left too long ago to continue without being asked to. */
  readonly isOld: boolean
}

/**
 * Initial state of a chat that another page left. Its run is live, with two exceptions: it was left too long ago, so
 * only the user may resume it, or its protocol has no cursors, so another request could only double the text. Pure.
 */
export function restoreRun(stored: ChatState, options: RestoreRunOptions): ChatState {
  const state = restore(withoutCancels(stored), options)
  const live = state.run?.ended === false ? state.run.turn.requestId : undefined
  // Nobody sends these answers any more: they may have arrived.
  const messages = state.messages.map((message) =>
    message.requestId === live ? message : changePrompts(message, loseAnswer),
  )
  return messages.every((message, index) => message === state.messages[index]) ? state : { ...state, messages }
}

function loseAnswer(prompt: Prompt): Prompt {
  return prompt.answeredBy === 'command' && prompt.state === 'sending' ? movePrompt(prompt, 'lost') : prompt
}

function restore(state: ChatState, { protocol, now, isOld }: RestoreRunOptions): ChatState {
  const { run, messages } = state
  if (run === undefined) return state
  const cursors = [...run.resumePoint.streams].map(([streamId, { seq }]) => ({ streamId, seq }))
  const isLost = cursors.length > 0 && protocol.canResume?.(cursors, run.resumePoint.handle) === false
  if (!isLost && (run.ended || !isOld)) return state
  const error = protocol.createError(isLost ? { ...LEFT, severity: 'FATAL' } : LEFT)
  const ended = endTurn({ messages, turn: run.turn }, { type: 'failed', error }, now)
  return {
    ...state,
    messages: ended.messages,
    error,
    run: !isLost && canResumeTurn(ended) ? { ...run, ended: true } : undefined,
  }
}

/** Nobody waits any more for the agent to confirm that it has stopped. */
function withoutCancels(state: ChatState): ChatState {
  if (!state.messages.some(({ stop }) => stop === 'cancelling')) return state
  const messages = state.messages.map((message) =>
    message.stop === 'cancelling' ? { ...message, stop: 'left' as const } : message,
  )
  return { ...state, messages }
}

/** Status of a stored chat before a tab resumes it. */
export function statusOf({ run, error, messages }: ChatState): ChatStatus {
  if (isAwaitingInput(awaitedPrompts(messages, run?.ended === false))) return 'awaiting-input'
  if (run !== undefined && !run.ended) return run.turn.streams.size > 0 ? 'streaming' : 'submitted'
  return error === undefined ? 'ready' : 'error'
}
