import type { CommandResult } from '../../seam/command.ts'
import { isRetryable, toProtocolError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { ActiveSession } from './link.ts'
import type { ArcpMessage } from './read/message.ts'
import type { MessageWriter } from './write-message.ts'

/** What a command is sent with. */
export interface Sending {
  readonly exchange: Exchange
  readonly writer: MessageWriter
  readonly signal: AbortSignal
  /** Requests the later messages of a session; returns the request that was sent. */
  resume(active: ActiveSession, sessionId: string, after: string | undefined): string
}

export const ACCEPTED: CommandResult = { result: 'accepted' }
export const UNSUPPORTED: CommandResult = { result: 'unsupported' }
export const TOO_LATE: CommandResult = { result: 'too-late' }

/** Whether a message is the pong that answers a ping. */
export function isPongOf(message: ArcpMessage, pingId: string): boolean {
  return message.type === 'pong' && (message.correlation_id ?? message.payload.ack_for) === pingId
}

/** The error with which a message was refused; undefined for any other message. */
export function refusalOf(message: ArcpMessage, id: string): Extract<ArcpMessage, { type: 'nack' }> | undefined {
  return message.type === 'nack' && (message.payload.ack_for ?? message.correlation_id) === id ? message : undefined
}

/** What the refusal of a command means, where that is not a failure. @throws ArcpError where it is one */
export function refusedAs(message: ArcpMessage, id: string): CommandResult | undefined {
  const refusal = refusalOf(message, id)
  if (refusal === undefined) return undefined
  if (refusal.payload.code === 'UNIMPLEMENTED') return UNSUPPORTED
  if (refusal.payload.code === 'NOT_FOUND' || refusal.payload.code === 'FAILED_PRECONDITION') return TOO_LATE
  return throwRefusalOf(message, id)
}

/** @throws ArcpError where the message is the refusal of what was sent under this id */
export function throwRefusalOf(message: ArcpMessage, id: string): undefined {
  const refusal =
    message.type === 'tool.error' && message.correlation_id === id && message.job_id === undefined
      ? message
      : refusalOf(message, id)
  if (refusal === undefined) return undefined
  throw toProtocolError(refusal.payload, isRetryable(refusal.payload) ? 'TRANSIENT' : 'FATAL')
}
