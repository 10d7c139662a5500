import { stringifyWellFormed } from '../../base/bounded-json.ts'
import type { ArcpEnvelope } from './schema/envelope.ts'
import type { ArcpPayload, ArcpType } from './schema/payloads.ts'
import type { IdSource } from './ulid.ts'
import { createUlids } from './ulid.ts'

type Members = Partial<Omit<ArcpEnvelope, 'arcp' | 'type' | 'timestamp' | 'payload'>>

/** A message on its way out. */
export interface ArcpOutgoing extends Members {
  readonly arcp: string
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly payload: object
}

/** Makes messages: each has a new id, unless it is given one. */
export interface MessageWriter {
  /** A new id, `msg_` and a monotonic ULID. */
  id(): string
  /** A message of the core, in the shape of the RFC. */
  write<Type extends ArcpType>(type: Type, payload: ArcpPayload<Type>, members?: Members): ArcpOutgoing
  /** A message of an extension. */
  extension(type: string, payload: object, members?: Members): ArcpOutgoing
}

export function createMessageWriter(source: IdSource): MessageWriter {
  const ulid = createUlids(source)
  const id = (): string => `msg_${ulid()}`
  const write = (type: string, payload: object, members: Members = {}): ArcpOutgoing => ({
    arcp: '1.0',
    type,
    timestamp: new Date(source.date()).toISOString(),
    ...members,
    id: members.id ?? id(),
    payload,
  })
  return { id, write, extension: write }
}

/** A message as a text frame. */
export function frameOf(message: ArcpOutgoing): string {
  return stringifyWellFormed(message)
}
