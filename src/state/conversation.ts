import type { AgentError } from '../base/agent-error.ts'
import type { AgentEvent } from '../seam/agent-event.ts'
import type { Prompt } from '../seam/prompt.ts'
import type { Ending } from '../session/connection.ts'
import { type DatedEvent, foldEvents } from './fold-events.ts'
import {
  type ChatMessage,
  isLiveStatus,
  type OutgoingMessage,
  textOf,
  type Conversation,
  type Turn,
  mapMessages,
  streamsOf,
} from './turn.ts'
import { isUndecided, movePrompt, changePrompts, promptsOf } from './prompts.ts'
import { warnDeveloper } from '../base/warn-developer.ts'

export const userMessageId = (requestId: string): string => `user-${requestId}`

export const answerMessageId = (requestId: string): string => `answer-${requestId}`

/** Begins a turn: the user's message if there is one, and the place where the answer will grow. */
export function beginTurn(
  conversation: Conversation,
  requestId: string,
  question: ChatMessage | undefined,
  at: number,
  metadata?: ChatMessage['metadata'],
): Conversation {
  const answerId = answerMessageId(requestId)
  const answer: ChatMessage = {
    id: answerId,
    role: 'assistant',
    parts: [],
    status: 'pending',
    requestId,
    metadata,
    createdAt: at,
  }
  const added = question === undefined ? [answer] : [question, answer]
  const kept = conversation.messages.filter((message) => !added.some(({ id }) => id === message.id))
  return { messages: [...kept, ...added], turn: { requestId, answerId, streams: new Map() } }
}

/** Puts older messages in front; those that are there already stay as they are. */
export function prependMessages(conversation: Conversation, older: readonly ChatMessage[]): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id))
  const added = uniqueMessages(older).filter(({ id }) => !known.has(id))
  return added.length === 0 ? conversation : { turn: conversation.turn, messages: [...added, ...conversation.messages] }
}

/** Whether the agent has ended every answer of a run. */
export function isTurnEnded({ messages }: Conversation, requestId: string): boolean {
  return messages.every(
    ({ role, status, ...message }) => message.requestId !== requestId || role === 'user' || !isLiveStatus(status),
  )
}

/** Resumes an ended turn: its unfinished answers are live again. */
export function resumeTurn(conversation: Conversation): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  return mapTurn(conversation, turn, (message) =>
    message.role === 'assistant' && message.status === 'incomplete'
      ? {
          ...message,
          status: message.parts.length === 0 ? 'pending' : 'streaming',
          error: undefined,
          endedAt: undefined,
        }
      : message,
  )
}

/** The agent has answered: the user's message has arrived. */
export function markSent(conversation: Conversation): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  return mapTurn(conversation, turn, (message) =>
    message.status === 'sending' ? { ...message, status: 'sent' } : message,
  )
}

/** Whether the agent has begun to answer in this turn. */
export function hasBegun({ turn }: Conversation): boolean {
  return turn !== undefined && streamsOf(turn).size > 0
}

/** Whether the turn has an answer that a further attempt could complete. */
export function canResumeTurn({ messages, turn }: Conversation): boolean {
  return (
    turn !== undefined &&
    messages.some((message) => message.requestId === turn.requestId && message.status === 'incomplete')
  )
}

/** Events that are applied lazily, all at once when the conversation is read: the work is per read, not per event. */
interface Unread {
  readonly base: Conversation
  /** Shared by the values that follow each other; each of them counts the first `count`. */
  readonly events: DatedEvent[]
  readonly count: number
}

/**
 * A conversation whose newest events are not applied yet. One is made for every event, so what is not applied is a field of
 * it: a `WeakMap` with an entry for every event costs more than the rest of the work.
 */
class UnreadConversation implements Conversation {
  /** Released when it is read: values that keep what they came from would keep the whole run. */
  unread: Unread | undefined
  #read: Conversation

  constructor(unread: Unread) {
    this.unread = unread
    this.#read = unread.base
  }

  get messages(): readonly ChatMessage[] {
    return this.#value().messages
  }

  get turn(): Turn | undefined {
    return this.#value().turn
  }

  #value(): Conversation {
    if (this.unread !== undefined) this.#read = foldEvents(this.unread.base, this.unread.events, this.unread.count)
    this.unread = undefined
    return this.#read
  }
}

/** Folds one event of the turn into the conversation. */
export function applyEvent(conversation: Conversation, event: AgentEvent, at: number): Conversation {
  if (changesNothing(event)) return conversation
  const unread = conversation instanceof UnreadConversation ? conversation.unread : undefined
  const { base, events, count } = unread ?? { base: conversation, events: [], count: 0 }
  if (count === 0 && base.turn === undefined) return conversation
  // An older value that is continued a second time gets its own events.
  const own = events.length === count ? events : events.slice(0, count)
  own.push({ event, at })
  return new UnreadConversation({ base, events: own, count: count + 1 })
}

function changesNothing(event: AgentEvent): boolean {
  return (
    event.type === 'run-started' ||
    event.type === 'run-finished' ||
    event.type === 'stream-interrupted' ||
    (event.type === 'diagnostic' && event.diagnostic.kind === 'skipped-packet')
  )
}

/** Ends the turn: no message of it stays open. */
export function endTurn(conversation: Conversation, ending: Ending, at: number): Conversation {
  const { turn } = conversation
  if (turn === undefined) return conversation
  const unsent =
    ending.type === 'failed' &&
    conversation.messages.some((message) => message.requestId === turn.requestId && message.status === 'sending')
  const settled = mapTurn(conversation, turn, (message) => settle(message, ending, at))
  if (!unsent) return settled
  // Nothing ever came back: there is a message to send again, and no answer to show.
  return {
    turn: settled.turn,
    messages: settled.messages.filter((message) => message.requestId !== turn.requestId || message.role === 'user'),
  }
}

function settle(message: ChatMessage, ending: Ending, at: number): ChatMessage {
  const ended = settleStatus(message, ending, at)
  // A run that was only lost can be resumed, and with it what it asks.
  if (ended.status === 'incomplete') return ended
  const isAwaited = ending.type === 'finished' && ending.outcome === 'awaiting-input'
  // The agent's own end follows all it had to say of its prompts; any other end leaves open whether an answer has arrived.
  const isReported = ending.type === 'finished' || ended === message
  return changePrompts(ended, (prompt) =>
    (isAwaited && prompt.answeredBy === 'next-run') || isOnItsWay(prompt, isReported)
      ? prompt
      : movePrompt(prompt, 'withdrawn'),
  )
}

/** Whether the result of sending the answer is still to come, or is not known. */
function isOnItsWay({ answeredBy, state }: Prompt, isReported: boolean): boolean {
  return answeredBy === 'command' && (state === 'sending' || (state === 'unconfirmed' && !isReported))
}

/** Stops the answers of a run whose connection has failed: the agent is asked to stop, and they cannot be resumed any more. */
export function stopIncomplete(conversation: Conversation, requestId: string): Conversation {
  return mapMessages(conversation, (message) =>
    message.requestId === requestId && message.status === 'incomplete'
      ? changePrompts({ ...message, status: 'stopped', stop: 'cancelling', error: undefined }, (prompt) =>
          isOnItsWay(prompt, false) ? prompt : movePrompt(prompt, 'withdrawn'),
        )
      : message,
  )
}

/** Stops a run that has ended with its prompts: the agent is asked to stop. An answer that was sent may have arrived, whatever the user does now. */
export function stopAwaited(conversation: Conversation, requestId: string): Conversation {
  return mapMessages(conversation, (message) =>
    message.requestId === requestId && promptsOf(message).some(isUndecided)
      ? changePrompts({ ...message, status: 'stopped', stop: 'cancelling' }, (prompt) =>
          movePrompt(prompt, prompt.state === 'sending' || prompt.state === 'unconfirmed' ? 'lost' : 'cancelled'),
        )
      : message,
  )
}

function settleStatus(message: ChatMessage, ending: Ending, at: number): ChatMessage {
  if (message.status === 'sending') {
    return ending.type === 'failed'
      ? { ...message, status: 'not-sent', error: ending.error }
      : { ...message, status: 'sent' }
  }
  if (!isLiveStatus(message.status)) return message
  if (ending.type === 'stopped') return { ...message, status: 'stopped', stop: 'cancelling', endedAt: at }
  if (ending.type === 'finished')
    return ending.outcome === 'cancelled'
      ? { ...message, status: 'stopped', stop: 'cancelled', endedAt: at }
      : { ...message, status: 'complete', endedAt: at }
  return { ...message, status: failedStatus(ending.error), error: ending.error, endedAt: at }
}

/** What is known of the agent's work on a run that the user has stopped. */
export function markStop(
  conversation: Conversation,
  requestId: string,
  stop: NonNullable<ChatMessage['stop']>,
): Conversation {
  return mapMessages(conversation, (message) =>
    message.requestId === requestId && message.stop === 'cancelling' ? { ...message, stop } : message,
  )
}

/** What the protocol remembered last of a run, where a message of the run has kept it. */
export function handleOf(messages: readonly ChatMessage[], requestId: string): unknown {
  return messages.findLast((message) => message.requestId === requestId && 'handle' in message)?.handle
}

/** The latest answer of the run keeps what its protocol wants to know when the conversation continues. */
export function keepHandle(conversation: Conversation, requestId: string, handle: unknown): Conversation {
  const last = conversation.messages.findLast(
    (message) => message.requestId === requestId && message.role === 'assistant',
  )
  return mapMessages(conversation, (message) => (message === last ? { ...message, handle } : message))
}

/** What could not be fetched to its end is a part of an answer; what the agent gave up is a broken one. */
function failedStatus(error: AgentError): 'incomplete' | 'failed' {
  return error.kind === 'connection' || error.retryable ? 'incomplete' : 'failed'
}

function mapTurn(
  conversation: Conversation,
  { requestId }: Turn,
  update: (message: ChatMessage) => ChatMessage,
): Conversation {
  return mapMessages(conversation, (message) => (message.requestId === requestId ? update(message) : message))
}

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

interface Identified {
  readonly id: string
}

/**
 * Messages from outside with each id once. Of several with one id the last is kept, in its place: an id names one message in
 * everything that is kept by it. Warns in development. The list itself where all ids differ.
 */
export function uniqueMessages<Message extends Identified>(messages: readonly Message[]): readonly Message[] {
  const places = new Map(messages.map(({ id }, place) => [id, place]))
  if (places.size === messages.length) return messages
  const isLast = ({ id }: Message, place: number): boolean => places.get(id) === place
  try {
    if (process.env.NODE_ENV !== 'production')
      warnOfRepeated(messages.find((message, place) => !isLast(message, place)))
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  return messages.filter(isLast)
}

function warnOfRepeated(message: Identified | undefined): void {
  if (message !== undefined)
    warnDeveloper(
      `Several messages of one history have the id ${JSON.stringify(message.id)}, so only the last of them is shown. Give each message an id of its own.`,
    )
}

/** The message in the conversation for something to be sent. */
export function questionOf(
  requestId: string,
  { text, files, metadata }: OutgoingMessage,
  createdAt: number,
): ChatMessage {
  return {
    id: userMessageId(requestId),
    role: 'user',
    parts: [{ type: 'text', id: 'text-1', text }],
    status: 'sending',
    requestId,
    files,
    metadata,
    createdAt,
  }
}

/** What was sent with a message, to send it again. */
export function outgoingOf(message: ChatMessage): OutgoingMessage {
  return { text: textOf(message), files: message.files, metadata: message.metadata }
}

/** The message with metadata over its own, key by key. */
export function withMetadata(message: OutgoingMessage, metadata: OutgoingMessage['metadata']): OutgoingMessage {
  return metadata === undefined ? message : { ...message, metadata: { ...message.metadata, ...metadata } }
}

/** What the given answer, or the last one, was requested with: its own metadata, or those of its question. */
export function metadataOf(messages: readonly ChatMessage[], messageId?: string): ChatMessage['metadata'] {
  return upTo(messages, messageId).findLast(({ role, metadata }) => role === 'user' || metadata !== undefined)?.metadata
}

/** The user's message that an answer belongs to: of the given message, or of the last answer. */
export function messageToAskAgain(messages: readonly ChatMessage[], messageId?: string): ChatMessage | undefined {
  return upTo(messages, messageId).findLast((message) => message.role === 'user')
}

function upTo(messages: readonly ChatMessage[], messageId: string | undefined): readonly ChatMessage[] {
  const from = messageId === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === messageId)
  return messages.slice(0, from + 1)
}

/** The answers to one request: one for each stream. */
export function answersTo(requestId: string, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.filter((message) => message.requestId === requestId && message.role === 'assistant')
}

/** A message that never arrived. */
export function isUnsent(message: ChatMessage): message is ChatMessage & { readonly requestId: string } {
  return message.status === 'not-sent' && message.requestId !== undefined
}
