import type { AgentError } from '../base/agent-error.ts'
import type { AgentEvent } from '../protocols/agent-event.ts'
import type { Ending } from '../session/session.ts'
import { appendText, putPart } from './message-parts.ts'
import type { Message, MessagePart } from './message.ts'

/** The run that is being told: which of its streams speaks in which message. */
export interface Turn {
  readonly requestId: string
  readonly answerId: string
  /** Message id by stream id, in order of appearance. */
  readonly streams: ReadonlyMap<string, string>
}

/** All messages and the turn under way. Immutable; every function here is pure and gives the same value back when nothing changed. */
export interface Conversation {
  readonly messages: readonly Message[]
  readonly turn: Turn | undefined
}

export const userMessageId = (requestId: string): string => `user-${requestId}`
export const answerMessageId = (requestId: string): string => `answer-${requestId}`

/** Begins a turn: the person's message if there is one, and the place where the answer will grow. */
export function beginTurn(conversation: Conversation, requestId: string, question: Message | undefined, at: number): Conversation {
  const answerId = answerMessageId(requestId)
  const answer: Message = { id: answerId, role: 'assistant', parts: [], status: 'pending', requestId, createdAt: at }
  const added = question === undefined ? [answer] : [question, answer]
  const kept = conversation.messages.filter((message) => !added.some(({ id }) => id === message.id))
  return { messages: [...kept, ...added], turn: { requestId, answerId, streams: new Map() } }
}

/** Puts older messages in front; those that are there already stay as they are. */
export function prependMessages(conversation: Conversation, older: readonly Message[]): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id))
  const added = older.filter(({ id }) => !known.has(id))
  return added.length === 0 ? conversation : { ...conversation, messages: [...added, ...conversation.messages] }
}

/** Takes up a turn that had ended: its unfinished answers are live again. */
export function resumeTurn(conversation: Conversation): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  return mapTurn(conversation, turn, (message) =>
    message.role === 'assistant' && message.status === 'incomplete'
      ? { ...message, status: message.parts.length === 0 ? 'pending' : 'streaming', error: undefined, endedAt: undefined }
      : message,
  )
}

/** The agent has answered: what the person said has arrived. */
export function markSent(conversation: Conversation): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  return mapTurn(conversation, turn, (message) => (message.status === 'sending' ? { ...message, status: 'sent' } : message))
}

/** Whether the turn has an answer that a further attempt could complete. */
export function canResumeTurn({ messages, turn }: Conversation): boolean {
  return turn !== undefined && messages.some((message) => message.requestId === turn.requestId && message.status === 'incomplete')
}

/** Folds one event of the turn into the conversation. */
export function applyEvent(conversation: Conversation, event: AgentEvent, at: number): Conversation {
  switch (event.type) {
    case 'text':
      return change(conversation, event.streamId, at, (message) => ({ ...live(message), parts: appendText(message.parts, event.text), firstTextAt: message.firstTextAt ?? at }))
    case 'part':
      return change(conversation, event.streamId, at, (message) => ({ ...live(message), parts: putPart(message.parts, event.partId, event.part) }))
    case 'snapshot':
      return change(conversation, event.streamId, at, (message) => {
        const parts = event.parts.reduce<readonly MessagePart[]>((all, { partId, part }) => putPart(all, partId, part), [])
        return { ...live(message), parts: appendText(parts, event.text), firstTextAt: event.text === '' ? message.firstTextAt : (message.firstTextAt ?? at) }
      })
    case 'warning':
      return change(conversation, event.streamId, at, (message) => {
        const id = `warning-${message.parts.filter((part) => part.type === 'warning').length + 1}`
        return { ...live(message), parts: [...message.parts, { type: 'warning', id, error: event.error }] }
      })
    case 'prompt':
      return change(conversation, undefined, at, (message) => ({
        ...live(message),
        parts: putPart(message.parts, event.prompt.id, { type: 'unknown', name: 'prompt', raw: event.prompt }),
      }))
    case 'stream-failed':
      return change(conversation, event.streamId, at, (message) => ({ ...message, status: 'failed', error: event.error, endedAt: at }))
    case 'stream-closed':
      return change(conversation, event.streamId, at, (message) => (message.status === 'failed' ? message : { ...message, status: 'complete', endedAt: at }))
    case 'diagnostic':
      if (event.diagnostic.kind === 'restarted') return restart(conversation)
      if (event.diagnostic.kind === 'gap') {
        const { streamId, after, before } = event.diagnostic
        return change(conversation, streamId, at, (message) => ({ ...live(message), parts: [...message.parts, { type: 'gap', id: `gap-${after}`, after, before }] }))
      }
      return conversation
    case 'run-started':
    case 'run-finished':
    case 'stream-interrupted':
      return conversation
  }
}

/** Ends the turn: no message of it stays open. */
export function endTurn(conversation: Conversation, ending: Ending, at: number): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  const unsent = ending.type === 'failed' && conversation.messages.some((message) => message.requestId === turn.requestId && message.status === 'sending')
  const settled = mapTurn(conversation, turn, (message) => settle(message, ending, at))
  if (!unsent) return settled
  // Nothing ever came back: there is a message to send again, and no answer to show.
  return { ...settled, messages: settled.messages.filter((message) => message.requestId !== turn.requestId || message.role === 'user') }
}

function settle(message: Message, ending: Ending, at: number): Message {
  if (message.status === 'sending') {
    return ending.type === 'failed' ? { ...message, status: 'not-sent', error: ending.error } : { ...message, status: 'sent' }
  }
  if (message.status !== 'pending' && message.status !== 'streaming') return message
  if (ending.type === 'finished') return { ...message, status: 'complete', endedAt: at }
  if (ending.type === 'stopped') return { ...message, status: 'stopped', endedAt: at }
  return { ...message, status: failedStatus(ending.error), error: ending.error, endedAt: at }
}

/** What could not be fetched to its end is a part of an answer; what the agent gave up is a broken one. */
function failedStatus(error: AgentError): 'incomplete' | 'failed' {
  return error.kind === 'connection' || error.retryable ? 'incomplete' : 'failed'
}

/** CAP section 7, row 4: the agent begins anew, so all it had said in this turn goes. */
function restart(conversation: Conversation): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  const messages = conversation.messages
    .filter((message) => message.requestId !== turn.requestId || message.role === 'user' || message.id === turn.answerId)
    .map((message) =>
      message.id === turn.answerId
        ? { ...message, parts: [], status: 'pending' as const, restarted: true, firstTextAt: undefined, endedAt: undefined, error: undefined }
        : message,
    )
  return { messages, turn: { ...turn, streams: new Map() } }
}

function live(message: Message): Message {
  return message.status === 'pending' ? { ...message, status: 'streaming' } : message
}

/** Changes the message in which the stream speaks; a new stream gets the open place, or a message of its own. */
function change(conversation: Conversation, streamId: string | undefined, at: number, update: (message: Message) => Message): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  const known = streamId === undefined ? turn.answerId : turn.streams.get(streamId)
  if (known !== undefined) return replace(conversation, known, update)
  const ordinal = turn.streams.size + 1
  const id = ordinal === 1 ? turn.answerId : `${turn.answerId}-${ordinal}`
  const next: Conversation = { ...conversation, turn: { ...turn, streams: new Map(turn.streams).set(streamId ?? '', id) } }
  if (ordinal === 1) return replace(next, id, update)
  const message: Message = { id, role: 'assistant', parts: [], status: 'pending', requestId: turn.requestId, createdAt: at }
  return { ...next, messages: [...next.messages, update(message)] }
}

function replace(conversation: Conversation, id: string, update: (message: Message) => Message): Conversation {
  // The turn's messages are the last ones: the search ends at once however long the thread is.
  const index = conversation.messages.findLastIndex((message) => message.id === id)
  const message = conversation.messages[index]
  if (message === undefined) return conversation
  const updated = update(message)
  return updated === message ? conversation : { ...conversation, messages: conversation.messages.with(index, updated) }
}

function mapTurn(conversation: Conversation, turn: Turn, update: (message: Message) => Message): Conversation {
  let changed = false
  const messages = conversation.messages.map((message) => {
    if (message.requestId !== turn.requestId) return message
    const updated = update(message)
    if (updated !== message) changed = true
    return updated
  })
  return changed ? { ...conversation, messages } : conversation
}
