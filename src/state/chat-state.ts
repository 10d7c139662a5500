import type { AgentError } from '../base/agent-error.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import type { ResumePoint } from '../session/resume-point.ts'
import { createResumePoint } from '../session/resume-point.ts'
import type { ChatMessage, QueuedMessage } from './conversation/message.ts'
import type { Conversation, Turn } from './conversation/conversation.ts'
import { applyEvent, beginTurn } from './conversation/conversation.ts'
import { undecidedPrompts } from './conversation/prompts.ts'
import { messageToAskAgain, outgoingOf } from './conversation/resend.ts'
import type { Run } from './run.ts'
import { createRun, isOver } from './run.ts'

/** A run that can be resumed, by the user or automatically. */
export interface RunState {
  readonly turn: Turn
  readonly resumePoint: ResumePoint
  /** It gave up before the agent had finished; a user may let it go on. */
  readonly ended: boolean
}

/**
 * All of a chat as one value that agrees with itself: the text is exactly what the cursors say was read. From it another
 * page, or another tab, goes on with the same run under the same request id.
 */
export interface ChatState {
  readonly messages: readonly ChatMessage[]
  readonly queued: readonly QueuedMessage[]
  readonly error?: AgentError | undefined
  readonly warnings: readonly AgentError[]
  readonly run?: RunState | undefined
  readonly stateEdit?: StateEdit | undefined
}

/**
 * State of a chat that only follows a run which somebody else has begun, by the handle of its protocol. Resuming the chat connects to
 * the run, and sends no message.
 *
 * @param at epoch milliseconds
 */
export function followingState(requestId: string, handle: unknown, at: number): ChatState {
  const { messages, turn } = beginTurn({ messages: [], turn: undefined }, requestId, undefined, at)
  const resumePoint = { ...createResumePoint(), handle }
  return { messages, queued: [], warnings: [], run: turn && { turn, resumePoint, ended: false } }
}

/** A copy of the state of a run. */
export function captureRun(run: Run, { turn }: Conversation): RunState | undefined {
  const { restored: _restored, isRepeated: _isRepeated, ...resumePoint } = run.resumePoint
  const streams = new Map([...resumePoint.streams].map(([id, stream]) => [id, { ...stream }]))
  return turn && { turn, resumePoint: { ...resumePoint, streams }, ended: isOver(run) }
}

/** The conversation as far as the cursors have read, which is ahead of what is shown after a run was left in the middle of a batch. */
export function asRead(conversation: Conversation, run: Run | undefined, at: number): Conversation {
  return (run?.state.unread ?? []).reduce((told, { event }) => applyEvent(told, event, at), conversation)
}

/** The run of a chat that begins where another one ended, whose resume point it takes over. Nothing is sent before it is resumed. */
export function runOf({ messages, run }: ChatState): Run | undefined {
  if (run === undefined) return undefined
  const question = messageToAskAgain(messages, run.turn.answerId)
  const resumePoint = { ...run.resumePoint, restored: true }
  // A run that was begun elsewhere has no question here; what it is about is in its handle.
  const outgoing = question === undefined ? { text: '' } : outgoingOf(question)
  const restored = createRun(run.turn.requestId, outgoing, resumePoint, run.ended)
  restored.hasAsked = undecidedPrompts(messages).length > 0
  return restored
}
