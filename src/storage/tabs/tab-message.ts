import { type AgentError, isAgentError } from '../../base/agent-error.ts'
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
  type Guard,
} from '../../base/guards.ts'
import { type LeaseChange, isLeaseChange } from '../../seam/lease.ts'
import {
  type PromptAnswer,
  type PromptOutcome,
  isPromptAnswer,
  isPromptOutcome,
  type FieldError,
} from '../../seam/prompt.ts'
import { type StateEdit, isStateEdit } from '../../seam/state-edit.ts'
import type { Connection } from '../../session/connection.ts'
import type { ChatStatus } from '../../state/chat-snapshot.ts'
import type { OutgoingMessage } from '../../state/turn.ts'
import { type SendOptions, type AnswerResult, type SendResult, ACCEPTED, QUEUED } from '../../state/chat-options.ts'
import { MESSAGE_FIELDS, STATE_FIELDS, isError, isOutgoing, isTerm } from '../records/stored-fields.ts'
import { type CreateError, type StoredError, type StoredMessage, packError } from '../records/stored-message.ts'
import type { MessageChanges, StoredState } from '../records/stored-state.ts'
import type { StopResult } from '../../session/agent-client.ts'

/** Type guard of a result that comes from another tab. */
const isStoredResult: Guard<StoredResult> = variant<StoredResult, 'status'>('status', {
  staged: isRecord,
  'too-late': isRecord,
  cancelled: isRecord,
  left: isRecord,
  invalid: shape({ errors: isListOf(shape<FieldError>({ path: isString, message: isString })) }),
  unconfirmed: shape({ error: isError }),
})

const isPackedResult: { readonly [Key in keyof PackedResult]-?: Guard<PackedResult[Key]> } = {
  error: (value): value is StoredError | string | undefined => isString(value) || isOptional(isError)(value),
  isQueued: (value): value is boolean | undefined => value === undefined || typeof value === 'boolean',
  result: isOptional(isStoredResult),
}

/** An action of a chat with what it is given, for the tab that leads. */
export type ChatCall =
  | {
      readonly action: 'sendMessage'
      readonly message: OutgoingMessage
      readonly options: Pick<SendOptions, 'whenBusy'>
    }
  | { readonly action: 'edit'; readonly messageId: string; readonly message: string | OutgoingMessage }
  | {
      readonly action: 'regenerate'
      readonly messageId: string | undefined
      readonly metadata?: OutgoingMessage['metadata']
    }
  | { readonly action: 'retry'; readonly messageId: string | undefined }
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
  /** With a wall-clock time of the next attempt: each page has its own clock. */
  readonly connection: StoredConnection
}

/** All that tabs with the same conversation say to each other. docs/internals/tabs.md has the protocol. */
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
  regenerate: shape({ messageId: text, metadata: isOptional(isRecord) }),
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

/** What became of a call: of a message, an answer to a prompt, or a stop. */
export type CallResult = SendResult | AnswerResult | { readonly status: StopResult }

/** Of an answer to a prompt. The others are results of other calls. */
export function isAnswerResult(result: CallResult): result is AnswerResult {
  return result.status !== 'queued' && result.status !== 'cancelled' && result.status !== 'left'
}

/** A result that is not `accepted`, `queued` or `refused`, as one tab tells it to another. */
type StoredResult =
  | { readonly status: 'staged' | 'too-late' | StopResult }
  | { readonly status: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly status: 'unconfirmed'; readonly error: StoredError }

/** The end of a call as one tab tells it to another. `error`: it was refused, or it threw. `isQueued`: its message waits. */
export interface PackedResult {
  readonly error?: StoredError | string | undefined
  readonly isQueued?: boolean | undefined
  readonly result?: StoredResult | undefined
}

export function packResult(result: CallResult): PackedResult {
  switch (result.status) {
    case 'accepted':
      return {}
    case 'queued':
      return { isQueued: true }
    case 'refused':
      return { error: packError(result.error) }
    case 'unconfirmed':
      return { result: { status: 'unconfirmed', error: packError(result.error) } }
    default:
      return { result }
  }
}

/** What a call threw. */
export function packThrown(error: unknown): PackedResult {
  return { error: isAgentError(error) ? packError(error) : String(error) }
}

/** The result of a call; an {@link AgentError} for a refusal, and any other error for what it threw. */
export function unpackResult({ error, isQueued, result }: PackedResult, createError: CreateError): CallResult | Error {
  if (error !== undefined) return unpackRefusal(error, createError)
  if (isQueued === true) return QUEUED
  if (result === undefined) return ACCEPTED
  return result.status === 'unconfirmed' ? { status: 'unconfirmed', error: createError(result.error) } : result
}

function unpackRefusal(refusal: StoredError | string, createError: CreateError): AgentError | Error {
  return typeof refusal === 'string' ? new Error(refusal) : createError(refusal)
}

/** Messages between the tabs of one conversation, as a port. What cannot be cloned is not sent. */
export interface TabChannel {
  post(message: unknown): void
  /** Called with messages of other tabs, never its own. */
  onMessage(listener: (message: unknown) => void): void
  close(): void
}
