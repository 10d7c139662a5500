import type { AgentError } from '../base/agent-error.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import type { Connection } from '../session/connection.ts'
import {
  type ChatMessage,
  type QueuedMessage,
  type MessagePart,
  isLiveStatus,
  type Conversation,
  type Turn,
} from './turn.ts'
import { awaitedPrompts, undecidedPrompts } from './prompts.ts'
import { type ResumePoint, createResumePoint } from '../session/resume-point.ts'
import { applyEvent, beginTurn, messageToAskAgain, metadataOf, outgoingOf } from './conversation.ts'
import { type Run, createRun, isOver } from './run.ts'
import { sameMembers } from '../base/equal-json.ts'

/**
 * `ready`: nothing runs. `submitted`: sent, nothing back yet. `streaming`: an answer grows. `awaiting-input`: the agent has asked
 * something and waits for the user. `error`: the last run failed.
 */
export type ChatStatus = 'ready' | 'submitted' | 'streaming' | 'awaiting-input' | 'error'

/** Everything a view can read of a chat: one immutable value, replaced at most once a frame while streaming. */
export interface ChatSnapshot {
  readonly conversationId: string
  readonly messages: readonly ChatMessage[]
  readonly status: ChatStatus
  readonly connection: Connection
  /** Why the last run failed; cleared by the next one or by `clearError()`. */
  readonly error: AgentError | undefined
  /** Every WARNING of this conversation, oldest first. */
  readonly warnings: readonly AgentError[]
  /**
   * Messages that wait for an answer to be complete, oldest first. Queued messages are not sent automatically after a
   * failure or a stop; the user sends or discards them.
   */
  readonly queued: readonly QueuedMessage[]
  /** What the user has made of the shared state last, whether or not a run has taken it along; see `useAgentState`. Absent: nothing. */
  readonly stateEdit?: StateEdit | undefined
}

/** Whether the agent works, or waits inside of its run for the user: there is something to stop. */
export function isRunning({ status, messages }: ChatSnapshot): boolean {
  return status === 'submitted' || status === 'streaming' || (status === 'awaiting-input' && isAskedInRun(messages))
}

function isAskedInRun(messages: ChatSnapshot['messages']): boolean {
  return awaitedPrompts(messages, true).some(({ prompt }) => prompt.answeredBy === 'command')
}

/** A run that can be resumed, by the user or automatically. */
export interface RunState {
  readonly turn: Turn
  readonly resumePoint: ResumePoint
  /** It gave up before the agent had finished; a user may let it continue. */
  readonly ended: boolean
}

/**
 * All of a chat as one value that agrees with itself: the text is exactly what the cursors say was read. From it another
 * page, or another tab, continues with the same run under the same request id.
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
  const outgoing =
    question === undefined
      ? { text: '' }
      : { ...outgoingOf(question), metadata: metadataOf(messages, run.turn.answerId) }
  const restored = createRun(run.turn.requestId, outgoing, resumePoint, run.ended)
  restored.hasAsked = undecidedPrompts(messages).length > 0
  return restored
}

/** A value to read, and to be notified of. */
export interface Slice<Value> {
  getSnapshot(): Value
  subscribe(listener: () => void): () => void
}

const slices = new WeakMap<Slice<ChatSnapshot>, Slice<ChatSnapshot>>()

/**
 * The snapshot of a chat as of the last change that was not only more text of an answer under way: such text may be out of date, everything
 * else is current. For what a token cannot change: status, connection, errors, queue, prompts, leases, which messages there are. The chat
 * is subscribed to once, and the same slice is returned at each call.
 */
export function statusSliceOf(chat: Slice<ChatSnapshot>): Slice<ChatSnapshot> {
  const slice = slices.get(chat) ?? createStatusSlice(chat)
  slices.set(chat, slice)
  return slice
}

function createStatusSlice(chat: Slice<ChatSnapshot>): Slice<ChatSnapshot> {
  const listeners = new Set<() => void>()
  /** Forgotten with the last listener: a chat that is kept while no component shows it may outlive what it showed. */
  let status: ChatSnapshot | undefined
  let notified: ChatSnapshot | undefined
  let unsubscribe: () => void

  function getSnapshot(): ChatSnapshot {
    const now = chat.getSnapshot()
    if (status === undefined || !sameMembers(status, now, hasGrown)) status = now
    return status
  }

  function notify(): void {
    if (getSnapshot() === notified) return
    notified = status
    for (const listener of [...listeners]) listener()
  }

  return {
    getSnapshot,
    subscribe(listener) {
      if (listeners.size === 0) {
        notified = getSnapshot()
        unsubscribe = chat.subscribe(notify)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        unsubscribe()
        status = undefined
        notified = undefined
      }
    },
  }
}

const indexes = new WeakMap<readonly ChatMessage[], ReadonlyMap<string, ChatMessage>>()

/** The message of that id. The index is built once per list: one walk, however many messages are looked up. */
export function messageById(messages: readonly ChatMessage[], id: string): ChatMessage | undefined {
  const index = indexes.get(messages) ?? new Map(messages.map((message) => [message.id, message]))
  indexes.set(messages, index)
  return index.get(id)
}

/** Whether a message differs in nothing but the text of its parts, and may grow on. */
function hasGrown(before: ChatMessage, now: ChatMessage): boolean {
  return isLiveStatus(now.status) && sameMembers(before, now, isText)
}

function isText(before: MessagePart, now: MessagePart): boolean {
  return 'text' in now && before.type === now.type && before.id === now.id
}
