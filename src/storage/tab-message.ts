import type { AgentError } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Connection } from '../session/connection.ts'
import type { Chat, ChatStatus, OutgoingMessage, SendOptions } from '../state/chat-snapshot.ts'
import type { CreateError, StoredError, StoredMessage } from './stored-message.ts'
import { packError, unpackMessage } from './stored-message.ts'
import type { MessageChanges, StoredState } from './stored-state.ts'

/** A verb of a chat with what it is given, for the tab that leads. */
export type ChatCall =
  | { readonly verb: 'sendMessage'; readonly message: OutgoingMessage; readonly options: SendOptions }
  | { readonly verb: 'edit'; readonly messageId: string; readonly message: string | OutgoingMessage }
  | { readonly verb: 'regenerate' | 'retry'; readonly messageId: string | undefined }
  | { readonly verb: 'discard'; readonly messageId: string }
  | { readonly verb: 'prepend'; readonly messages: readonly StoredMessage[] }
  | { readonly verb: 'stop' | 'resume' | 'clearError' }

type StoredConnection = Omit<Connection, 'error'> & { readonly error?: StoredError | undefined }

/** The news of a chat, from the tab that leads. */
export interface StateMessage {
  readonly type: 'state'
  /** Later leads have higher terms. */
  readonly term: number
  /** Counts the messages of a term: who missed one asks for all. */
  readonly count: number
  /** Holds every message, not only those that changed. */
  readonly whole: boolean
  readonly state: StoredState
  readonly messages: MessageChanges
  readonly status: ChatStatus
  /** With a wall-clock time of the next attempt: each page has a clock of its own. */
  readonly connection: StoredConnection
}

/** All that tabs with the same conversation say to each other. */
export type TabMessage =
  /** Somebody wants to know how the chat stands. */
  | { readonly type: 'hello' }
  | { readonly type: 'leads'; readonly term: number }
  | StateMessage
  | { readonly type: 'call'; readonly term: number; readonly id: string; readonly call: ChatCall }
  /** The call was heard: from now on it is the leader's. */
  | { readonly type: 'took'; readonly id: string }
  | { readonly type: 'done'; readonly id: string; readonly error?: StoredError | string | undefined }

const TYPES: readonly unknown[] = ['hello', 'leads', 'state', 'call', 'took', 'done'] satisfies TabMessage['type'][]

/** Only pages of our own origin can speak here, and their version is in the channel's name. */
export function isTabMessage(value: unknown): value is TabMessage {
  return typeof value === 'object' && value !== null && TYPES.includes(Reflect.get(value, 'type'))
}

/** Does what another tab asks for. */
export async function perform(chat: Chat, call: ChatCall, createError: CreateError): Promise<void> {
  switch (call.verb) {
    case 'sendMessage':
      return chat.sendMessage(call.message, call.options)
    case 'edit':
      return chat.edit(call.messageId, call.message)
    case 'regenerate':
      return chat.regenerate(call.messageId)
    case 'retry':
      return chat.retry(call.messageId)
    case 'discard':
      return void chat.discard(call.messageId)
    case 'prepend':
      return chat.prepend(call.messages.map((message) => unpackMessage(message, createError)))
    case 'stop':
      return chat.stop()
    case 'resume':
      return chat.resume()
    case 'clearError':
      return chat.clearError()
  }
}

export function packConnection(connection: Connection, clock: Clock): StoredConnection {
  const { error, nextRetryAt } = connection
  return { ...connection, error: error && packError(error), nextRetryAt: nextRetryAt === undefined ? undefined : nextRetryAt - clock.now() + clock.date() }
}

export function unpackConnection(stored: StoredConnection, clock: Clock, createError: CreateError): Connection {
  const { error, nextRetryAt } = stored
  return { ...stored, error: error && createError(error), nextRetryAt: nextRetryAt === undefined ? undefined : nextRetryAt - clock.date() + clock.now() }
}

export function packRefusal(error: unknown): StoredError | string {
  return isAgentError(error) ? packError(error) : String(error)
}

export function unpackRefusal(refusal: StoredError | string, createError: CreateError): AgentError | Error {
  return typeof refusal === 'string' ? new Error(refusal) : createError(refusal)
}
