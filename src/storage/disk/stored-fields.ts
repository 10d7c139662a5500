import type { ErrorCode } from '../../base/agent-error.ts'
import {
  type Fields,
  LAST_INSTANT,
  isAnything,
  either,
  isBoolean,
  isCount,
  isNumber,
  isRecord,
  isString,
  isTime,
  isUndefined,
  isListOf,
  mapOf,
  oneOf,
  isOptional,
  shape,
  variant,
} from '../../base/guards.ts'
import { AGENT_PART_GUARDS } from '../../seam/agent-event.ts'
import { isStateEdit } from '../../seam/state-edit.ts'
import { isUsage } from '../../seam/usage.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { OutgoingMessage, QueuedMessage } from '../../state/turn.ts'
import type { StoredError, StoredMessage, StoredState } from './stored-state.ts'
import type { StoredThread } from './thread-disk.ts'

type StoredPart = StoredMessage['parts'][number]

type PartWithoutId = StoredPart extends infer Part ? (Part extends unknown ? Omit<Part, 'id'> : never) : never

type StoredRun = NonNullable<StoredState['run']>

const text = isOptional(isString)

const time = isOptional(isTime)

/** An error with another code has no text to be shown. */
const CODES: Readonly<Record<ErrorCode, 1>> = {
  network_error: 1,
  timeout: 1,
  truncated: 1,
  delivery_unknown: 1,
  unexpected_content_type: 1,
  frame_too_large: 1,
  response_too_large: 1,
  invalid_json: 1,
  invalid_packet: 1,
  unknown_op: 1,
  invalid_response: 1,
  invalid_request: 1,
  invalid_config: 1,
  http_error: 1,
  unauthorized: 1,
  forbidden: 1,
  not_found: 1,
  rate_limited: 1,
  log_expired: 1,
  agent_error: 1,
  restarted: 1,
  busy: 1,
  storage_full: 1,
  storage_corrupt: 1,
  storage_unavailable: 1,
  app_error: 1,
}

const isErrorCode = (value: unknown): value is ErrorCode => isString(value) && Object.hasOwn(CODES, value)

export const isError = shape<StoredError>({
  kind: oneOf('connection', 'protocol', 'runtime'),
  code: isErrorCode,
  severity: oneOf('FATAL', 'TRANSIENT', 'WARNING'),
  message: isString,
  agentCode: text,
  status: isOptional(isNumber),
  retryAfterMs: isOptional(isNumber),
})

const isPartWithoutId = variant<PartWithoutId, 'type'>('type', {
  ...AGENT_PART_GUARDS,
  text: shape({ text: isString }),
  gap: shape({ after: isNumber, before: isNumber }),
  warning: shape({ error: isError }),
})

const isPart = (value: unknown): value is StoredPart => isRecord(value) && isString(value.id) && isPartWithoutId(value)

const file = { name: text, mimeType: text, size: isOptional(isNumber) }

const isFile = either(
  isString,
  either(
    shape<Extract<Attachment, { id: string }>>({ id: isString, data: isUndefined, ...file }),
    shape<Extract<Attachment, { data: string }>>({ data: isString, id: isUndefined, ...file }),
  ),
)

const outgoing = { files: isOptional(isListOf(isFile)), metadata: isOptional(isRecord) }

export const MESSAGE_FIELDS: Fields<StoredMessage> = {
  id: isString,
  role: oneOf('user', 'assistant', 'system'),
  parts: isListOf(isPart),
  status: oneOf('sending', 'sent', 'not-sent', 'pending', 'streaming', 'complete', 'incomplete', 'stopped', 'failed'),
  requestId: text,
  error: isOptional(isError),
  restarted: isOptional(isBoolean),
  ...outgoing,
  createdAt: time,
  firstTextAt: time,
  endedAt: time,
  stop: oneOf('cancelling', 'cancelled', 'left', undefined),
  usage: isOptional(isUsage),
  handle: isAnything,
}

export const isOutgoing = shape<OutgoingMessage>({ text: isString, ...outgoing })

export const isQueued = shape<QueuedMessage>({ id: isString, message: isOutgoing })

type StoredStream = StoredRun['reading']['streams'] extends ReadonlyMap<string, infer Stream> ? Stream : never

const isRun = shape<StoredRun>({
  turn: shape<StoredRun['turn']>({ requestId: isString, answerId: isString, streams: mapOf(isString) }),
  reading: shape<StoredRun['reading']>({
    streams: mapOf(
      shape<StoredStream>({
        seq: isOptional(isCount),
        ids: isOptional(isListOf(isString)),
        state: oneOf('open', 'closed', 'failed'),
        error: isOptional(isError),
      }),
    ),
    handle: isAnything,
    outcome: oneOf('complete', 'awaiting-input', 'cancelled', undefined),
    lastEventId: text,
    attempts: isCount,
    notBefore: time,
    parts: isOptional(isCount),
    warnings: isOptional(isCount),
    bytes: isOptional(isCount),
  }),
  ended: isBoolean,
})

/**
 * A revision: positive, because a state without one counts as the oldest, and not above the largest time of a clock.
 */
export const isRevision = (value: unknown): value is number => isCount(value) && value > 0 && value < LAST_INSTANT

/** A fencing token that can still grow. */
export const isTerm = (value: unknown): value is number => isCount(value) && value < 2 ** 50

export const STATE_FIELDS: Fields<StoredState> = {
  order: isListOf(isString),
  queued: isListOf(isQueued),
  error: isOptional(isError),
  stateEdit: isOptional(isStateEdit),
  run: isOptional(isRun),
  revision: isRevision,
  term: isOptional(isTerm),
  performed: isOptional(isListOf(isString)),
}

export const THREAD_FIELDS: Fields<StoredThread> = {
  id: isString,
  title: isString,
  named: isBoolean,
  status: oneOf('idle', 'running', 'awaiting-input', 'failed'),
  unread: isBoolean,
  createdAt: isTime,
  updatedAt: isTime,
}

export const isThread = shape(THREAD_FIELDS)

/** A message from a store to those in other tabs. */
export type StoreNews =
  | { readonly type: 'threads'; readonly threads: readonly StoredThread[] }
  /** The conversation was deleted; `at`: epoch milliseconds. Later messages are kept. */
  | { readonly type: 'removed'; readonly id: string; readonly at: number }
  /** `restored`: its chat begins again with what was put back. `outdated`: its row came from a tab that no longer leads, the disk has the right one. */
  | { readonly type: 'restored' | 'outdated'; readonly id: string }
  | { readonly type: 'wiped' }

/** Received by stores with the same generation, and by stores that do not know their generation. */
export type StoreMessage = StoreNews & { readonly generation: string | undefined }

const generation = isOptional(isString)

/** Whatever else speaks on the channel, such as another version of the app, is not listened to. */
export const isStoreMessage = variant<StoreMessage, 'type'>('type', {
  threads: shape({ threads: isListOf(isThread), generation }),
  removed: shape({ id: isString, at: isTime, generation }),
  restored: shape({ id: isString, generation }),
  outdated: shape({ id: isString, generation }),
  wiped: shape({ generation }),
})
