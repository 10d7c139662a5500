import type { AgentError, AgentErrorInit } from '../../base/agent-error.ts'
import { errorInit } from '../../base/agent-error.ts'
import { isRecord } from '../../base/guards.ts'
import type { ChatMessage, MessagePart, OutgoingMessage, WarningPart } from '../../state/turn.ts'

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
