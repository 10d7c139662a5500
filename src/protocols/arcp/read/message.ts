import type { JsonObject } from '../../../base/json-object.ts'
import type { AgentPart } from '../../../seam/agent-event.ts'
import type { ArcpEnvelope } from '../schema/envelope.ts'
import type { ArcpPayload, ArcpType } from '../schema/payloads.ts'

type Envelope = Omit<ArcpEnvelope, 'type' | 'payload'>

/** The core types that a client reads. */
export type ArcpReceivedType = Extract<
  ArcpType,
  | 'session.challenge'
  | 'session.accepted'
  | 'session.rejected'
  | 'session.unauthenticated'
  | 'session.refresh'
  | 'session.evicted'
  | 'ping'
  | 'pong'
  | 'ack'
  | 'nack'
  | 'cancel.accepted'
  | 'cancel.refused'
  | 'backpressure'
  | 'tool.result'
  | 'tool.error'
  | `job.${'accepted' | 'started' | 'progress' | 'heartbeat' | 'checkpoint' | 'completed' | 'failed' | 'cancelled'}`
  | `stream.${string}`
  | `human.${string}`
  | 'permission.request'
  | `lease.${'granted' | 'extended' | 'revoked'}`
  | `subscribe.${string}`
  | 'artifact.put'
  | 'artifact.ref'
  | 'event.emit'
  | 'log'
  | 'metric'
  | 'trace.span'
>

/** The types that many jobs never send: what reads them is loaded with the first of them. */
export type ArcpRareType = Extract<
  ArcpReceivedType,
  | `cancel.${string}`
  | 'backpressure'
  | `human.${string}`
  | 'permission.request'
  | `lease.${string}`
  | `subscribe.${string}`
  | `artifact.${string}`
  | 'event.emit'
  | 'trace.span'
>

/** The core types that a client sends. It reads none of them: those that come are its own, in a replay. */
export type ArcpSentType = Exclude<ArcpType, ArcpReceivedType>

/** A message of a type of the core, as a client reads it. */
export type ArcpReceived = {
  readonly [Type in ArcpReceivedType]: Envelope & { readonly type: Type; readonly payload: ArcpPayload<Type> }
}[ArcpReceivedType]

/** A message of an extension: `name` is its type. */
export type ArcpExtension = Envelope & {
  readonly type: 'extension'
  readonly name: string
  readonly payload: JsonObject
  /** How a chat shows it, where a dialect knows that. Absent: as a part of type `unknown`. */
  readonly part?: AgentPart | undefined
  /** The part that it replaces or begins. Absent: one of its own. */
  readonly partId?: string | undefined
}

/** A message that a client sends, and that came back in a replay: `name` is its type. Its payload was not read. */
export type ArcpEcho = Envelope & { readonly type: 'echo'; readonly name: ArcpSentType; readonly payload: JsonObject }

/** A message that came, with the members that the RFC names, whichever runtime sent it. */
export type ArcpMessage = ArcpReceived | ArcpExtension | ArcpEcho
