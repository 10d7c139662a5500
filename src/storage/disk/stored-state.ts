import type { ResumePoint } from '../../session/resume-point.ts'
import type { StateEdit } from '../../seam/state-edit.ts'
import type { ChatMessage, QueuedMessage, MessagePart, OutgoingMessage, WarningPart } from '../../state/turn.ts'
import type { ChatState, RunState } from '../../state/chat-snapshot.ts'
import { type AgentError, type AgentErrorInit, errorInit } from '../../base/agent-error.ts'
import { isRecord } from '../../base/guards.ts'

type StoredStream = {
  readonly seq: number | undefined
  readonly ids?: readonly string[] | undefined
  readonly state: 'open' | 'closed' | 'failed'
  readonly error?: StoredError | undefined
}

interface StoredRun extends Omit<RunState, 'resumePoint'> {
  readonly reading: Readonly<Omit<ResumePoint, 'streams' | 'restored' | 'isRepeated'>> & {
    readonly streams: ReadonlyMap<string, StoredStream>
    /** Written by versions before handles. */
    readonly lastEventId?: string | undefined
  }
}

/** Orders the states of a conversation: first by the term of the leader, then by revision. */
export interface Version {
  /** Fencing token: each leader takes a higher one than any before. */
  readonly term: number
  /** Epoch milliseconds of the writing, higher than any before in this term. */
  readonly revision: number
}

export function isNewer(left: Versioned, right: Versioned): boolean {
  const [leftTerm, rightTerm] = [left.term ?? 0, right.term ?? 0]
  return leftTerm === rightTerm ? left.revision > right.revision : leftTerm > rightTerm
}

type Versioned = Pick<StoredState, 'term' | 'revision'>

/** A chat without its messages: what changes together with any of them, and is written in the same transaction. */
export interface StoredState extends Omit<Version, 'term'> {
  /** Term of the leader that wrote it. @default 0, for states from versions without terms */
  readonly term?: number | undefined
  /** Ids of calls that are in it, so that a later leader does not perform them again. @default [] */
  readonly performed?: readonly string[] | undefined
  /** Ids of the messages, oldest first. */
  readonly order: readonly string[]
  readonly queued: readonly QueuedMessage[]
  readonly error?: StoredError | undefined
  readonly stateEdit?: StateEdit | undefined
  readonly run?: StoredRun | undefined
}

/** Messages by id that are new or other than before; undefined for those that are gone. */
export type MessageChanges = ReadonlyMap<string, StoredMessage | undefined>

/** @param order ids of the messages */
export function packState(
  {
    state: { queued, error, run, stateEdit },
    term,
    revision,
    performed,
  }: Version & { readonly state: ChatState; readonly performed: readonly string[] },
  order: readonly string[],
): StoredState {
  return {
    term,
    revision,
    performed,
    order,
    queued: queued.map(({ id, message }) => ({ id, message: packOutgoing(message) })),
    error: error && packError(error),
    ...(stateEdit && { stateEdit }),
    run: run && {
      turn: run.turn,
      ended: run.ended,
      reading: {
        ...run.resumePoint,
        streams: new Map(
          [...run.resumePoint.streams].map(([id, stream]) => [
            id,
            { ...stream, error: stream.error && packError(stream.error) },
          ]),
        ),
      },
    },
  }
}

/** @param messageOf gives the message of an id; one that is missing is left out */
export function unpackState(
  { order, queued, error, run, stateEdit }: StoredState,
  messageOf: (id: string) => ChatMessage | undefined,
  createError: CreateError,
): ChatState {
  const messages = order.flatMap((id) => messageOf(id) ?? [])
  return {
    messages,
    queued,
    error: error && createError(error),
    stateEdit,
    // They are in the messages too, each in its place.
    warnings: messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'warning' ? [part.error] : []))),
    run: run && {
      turn: run.turn,
      ended: run.ended,
      resumePoint: {
        ...readingOf(run.reading),
        streams: new Map(
          [...run.reading.streams].map(([id, stream]) => [
            id,
            { ...stream, error: stream.error && createError(stream.error) },
          ]),
        ),
      },
    },
  }
}

/** Earlier versions kept the id of the last event, which is what the handle of CAP is made of. */
function readingOf({ lastEventId, ...reading }: StoredRun['reading']): Omit<ResumePoint, 'streams'> {
  return lastEventId === undefined || reading.handle !== undefined ? reading : { ...reading, handle: { lastEventId } }
}

/** Gives the ids of a list of messages. Reads only those that are not where they were in the list before. */
export function createOrderReader(): (messages: readonly ChatMessage[]) => readonly string[] {
  let before: readonly ChatMessage[] = []
  let order: readonly string[] = []
  return (messages) => {
    const start = sameStart(before, messages)
    order = [...order.slice(0, start), ...messages.slice(start).map(({ id }) => id)]
    before = messages
    return order
  }
}

/** How many messages two lists begin with in common, by identity: messages are immutable. */
function sameStart(before: readonly ChatMessage[], after: readonly ChatMessage[]): number {
  const end = before.findIndex((message, index) => message !== after[index])
  return end === -1 ? before.length : end
}

/** What is new between two lists of messages. */
export function changesBetween(before: readonly ChatMessage[], after: readonly ChatMessage[]): MessageChanges {
  const start = sameStart(before, after)
  const known = new Map(before.slice(start).map((message) => [message.id, message]))
  const changes = new Map<string, StoredMessage | undefined>()
  for (const message of after.slice(start)) {
    if (known.get(message.id) !== message) changes.set(message.id, packMessage(message))
    known.delete(message.id)
  }
  for (const id of known.keys()) changes.set(id, undefined)
  return changes
}

/** Makes an error of the family the client's protocol has. */
export type CreateError = (init: AgentErrorInit) => AgentError

/** An error as plain data. Without its cause and details: they hold what servers and transports sent, headers included. */
export type StoredError = Omit<AgentErrorInit, 'cause' | 'details'>

type StoredPart = Exclude<MessagePart, WarningPart> | (Omit<WarningPart, 'error'> & { readonly error: StoredError })

/** A message that can be cloned to a disk and to another tab. */
export type StoredMessage = Omit<ChatMessage, 'error' | 'parts'> & {
  readonly error?: StoredError | undefined
  readonly parts: readonly StoredPart[]
}

export function packError(error: AgentError): StoredError {
  const { cause: _cause, details: _details, ...init } = errorInit(error)
  return init
}

/** Messages are immutable, and packed for the disk, for each tab that joins and for those that are there. */
const packed = new WeakMap<ChatMessage, StoredMessage>()

export function packMessage(message: ChatMessage): StoredMessage {
  const stored = packed.get(message) ?? packAnew(message)
  packed.set(message, stored)
  return stored
}

function packAnew(message: ChatMessage): StoredMessage {
  const parts = message.parts.map((part) =>
    part.type === 'warning' ? { ...part, error: packError(part.error) } : part,
  )
  return { ...message, parts, error: message.error && packError(message.error), metadata: asJson(message.metadata) }
}

export function unpackMessage(stored: StoredMessage, createError: CreateError): ChatMessage {
  const parts = stored.parts.map((part): MessagePart =>
    part.type === 'warning' ? { ...part, error: createError(part.error) } : part,
  )
  return { ...stored, parts, error: stored.error && createError(stored.error) }
}

export function packOutgoing({ text, files, metadata }: OutgoingMessage): OutgoingMessage {
  return { text, files, metadata: asJson(metadata) }
}

/** As it goes out in the request: functions and the like are not kept, and could not be cloned. */
export function asJson(metadata: ChatMessage['metadata']): ChatMessage['metadata'] {
  if (metadata === undefined) return undefined
  try {
    const json: unknown = JSON.parse(JSON.stringify(metadata))
    // Of a `Date`, or anything with a `toJSON` of its own, JSON makes something else.
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}
