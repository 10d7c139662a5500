import type { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'
import {
  either,
  isBoolean,
  isCount,
  isNumber,
  isRecord,
  isString,
  isUndefined,
  isListOf,
  mapOf,
  oneOf,
  isOptional,
  shape,
  variant,
} from '../../base/guards.ts'
import type { LeaseChange } from '../../seam/lease.ts'
import { isLeaseChange } from '../../seam/lease.ts'
import type { PromptAnswer, PromptOutcome } from '../../seam/prompt.ts'
import { isPromptAnswer, isPromptOutcome } from '../../seam/prompt.ts'
import type { StateEdit } from '../../seam/state-edit.ts'
import { isStateEdit } from '../../seam/state-edit.ts'
import type { PackedResult } from './call-result.ts'
import { isPackedResult } from './call-result.ts'
import type { Connection } from '../../session/connection.ts'
import type { ChatStatus } from '../../state/chat-snapshot.ts'
import type { OutgoingMessage } from '../../state/turn.ts'
import type { SendOptions } from '../../state/chat-options.ts'
import { MESSAGE_FIELDS, STATE_FIELDS, isError, isOutgoing, isTerm } from '../records/stored-fields.ts'
import type { CreateError, StoredError, StoredMessage } from '../records/stored-message.ts'
import { packError } from '../records/stored-message.ts'
import type { MessageChanges, StoredState } from '../records/stored-state.ts'

/** An action of a chat with what it is given, for the tab that leads. */
export type ChatCall =
  | { readonly action: 'sendMessage'; readonly message: OutgoingMessage; readonly options: SendOptions }
  | { readonly action: 'edit'; readonly messageId: string; readonly message: string | OutgoingMessage }
  | { readonly action: 'regenerate' | 'retry'; readonly messageId: string | undefined }
  | { readonly action: 'discard'; readonly messageId: string }
  | { readonly action: 'prepend'; readonly messages: readonly StoredMessage[] }
  /** `requestId`: the run to stop. A stop that comes late must not end another run. */
  | { readonly action: 'stop'; readonly requestId: string | undefined }
  | { readonly action: 'answer'; readonly promptId: string; readonly answer: PromptAnswer }
  /** How prompts have ended that a new leader may not know of. */
  | { readonly action: 'settlePrompts'; readonly outcomes: readonly PromptOutcome[] }
  | { readonly action: 'changeLease'; readonly leaseId: string; readonly change: LeaseChange }
  | { readonly action: 'changeState'; readonly edit?: StateEdit | undefined }
  | { readonly action: 'resume' | 'clearError' }

/** The same union by phase, its errors as records and its time on the wall clock. */
type StoredConnection = Connection extends infer State
  ? State extends Connection
    ? { readonly [Field in keyof State]: Stored<State[Field]> }
    : never
  : never
type Stored<Value> = Value extends AgentError ? StoredError : Value

/** The state of a chat, from the tab that leads. */
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
  /** Ids of messages that are not on the disk, queued ones too. */
  readonly unsaved: readonly string[]
  readonly status: ChatStatus
  /** With a wall-clock time of the next attempt: each page has a clock of its own. */
  readonly connection: StoredConnection
}

/** All that tabs with the same conversation say to each other. docs/tabs.md has the protocol. */
export type TabMessage =
  /** A follower asks the leader for the whole state. */
  | { readonly type: 'hello' }
  /** A new leader announces itself. */
  | { readonly type: 'leads'; readonly term: number }
  | StateMessage
  /** For the leader of this term. `isRepeated`: another leader had it before, and may have performed it. */
  | {
      readonly type: 'call'
      readonly term: number
      readonly id: string
      readonly call: ChatCall
      readonly isRepeated: boolean
    }
  /** The leader of this term has the call. */
  | { readonly type: 'acknowledged'; readonly term: number; readonly id: string }
  /** The call has settled with the leader of this term, and what it did is stored. */
  | ({ readonly type: 'done'; readonly term: number; readonly id: string } & PackedResult)

const text = isOptional(isString)
const isMessage = shape(MESSAGE_FIELDS)

const isCall = variant<ChatCall, 'action'>('action', {
  sendMessage: shape({ message: isOutgoing, options: shape({ whenBusy: oneOf('reject', 'queue', 'say', undefined) }) }),
  edit: shape({ messageId: isString, message: either(isString, isOutgoing) }),
  regenerate: shape({ messageId: text }),
  retry: shape({ messageId: text }),
  discard: shape({ messageId: isString }),
  prepend: shape({ messages: isListOf(isMessage) }),
  stop: shape({ requestId: text }),
  answer: shape({ promptId: isString, answer: isPromptAnswer }),
  settlePrompts: shape({ outcomes: isListOf(isPromptOutcome) }),
  changeLease: shape({ leaseId: isString, change: isLeaseChange }),
  changeState: shape({ edit: isOptional(isStateEdit) }),
  resume: isRecord,
  clearError: isRecord,
})

const counts = {
  attempt: isNumber,
  maxAttempts: isNumber,
  connections: isNumber,
  requests: isNumber,
  hasOpened: isBoolean,
}
const isQuiet = shape({ ...counts, nextRetryAt: isUndefined, error: isUndefined })
const isOpen = shape({ ...counts, nextRetryAt: isUndefined, error: isOptional(isError) })

const isConnection = variant<StoredConnection, 'phase'>('phase', {
  idle: isQuiet,
  connecting: isOpen,
  queued: isOpen,
  streaming: isOpen,
  waiting: shape({ ...counts, nextRetryAt: isNumber, error: isOptional(isError) }),
  offline: isOpen,
  paused: isOpen,
  failed: shape({ ...counts, nextRetryAt: isUndefined, error: isError }),
  closed: isQuiet,
  stopped: isQuiet,
})

/** Whatever else speaks on the channel, such as another version of the app, is not listened to. */
export const isTabMessage = variant<TabMessage, 'type'>('type', {
  hello: isRecord,
  leads: shape({ term: isTerm }),
  state: shape<Omit<StateMessage, 'type'>>({
    term: isTerm,
    count: isCount,
    whole: isBoolean,
    state: shape(STATE_FIELDS),
    messages: mapOf(isOptional(isMessage)),
    unsaved: isListOf(isString),
    status: oneOf('ready', 'submitted', 'streaming', 'awaiting-input', 'error'),
    connection: isConnection,
  }),
  call: shape({ term: isTerm, id: isString, call: isCall, isRepeated: isBoolean }),
  acknowledged: shape({ term: isTerm, id: isString }),
  done: shape({ term: isTerm, id: isString, ...isPackedResult }),
})

export function packConnection(connection: Connection, clock: Clock): StoredConnection {
  switch (connection.phase) {
    case 'idle':
    case 'closed':
    case 'stopped':
      return connection
    case 'failed':
      return { ...connection, error: packError(connection.error) }
    case 'waiting':
      return {
        ...connection,
        error: connection.error && packError(connection.error),
        nextRetryAt: connection.nextRetryAt - clock.now() + clock.date(),
      }
    default:
      return { ...connection, error: connection.error && packError(connection.error) }
  }
}

/** @param before what is shown now: an equal connection stays the same object */
export function unpackConnection(
  stored: StoredConnection,
  clock: Clock,
  createError: CreateError,
  before: Connection,
): Connection {
  const now = packConnection(before, clock)
  if (JSON.stringify(now) === JSON.stringify(stored)) return before
  switch (stored.phase) {
    case 'idle':
    case 'closed':
    case 'stopped':
      return stored
    case 'failed':
      return { ...stored, error: createError(stored.error) }
    case 'waiting':
      return {
        ...stored,
        error: stored.error && createError(stored.error),
        nextRetryAt: stored.nextRetryAt - clock.date() + clock.now(),
      }
    default:
      return { ...stored, error: stored.error && createError(stored.error) }
  }
}
