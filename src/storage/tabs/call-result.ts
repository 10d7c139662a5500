import type { AgentError } from '../../base/agent-error.ts'
import { isAgentError } from '../../base/agent-error.ts'
import type { Guard } from '../../base/guards.ts'
import { isString, isListOf, isOptional, shape, variant, isRecord } from '../../base/guards.ts'
import type { FieldError } from '../../seam/prompt.ts'
import type { StopResult } from '../../session/agent-client.ts'
import { type AnswerResult, type SendResult, ACCEPTED, QUEUED } from '../../state/chat-options.ts'
import { isError } from '../records/stored-fields.ts'
import type { CreateError, StoredError } from '../records/stored-message.ts'
import { packError } from '../records/stored-message.ts'

/** What became of a call: of a message, an answer to a prompt, or a stop. */
export type CallResult = SendResult | AnswerResult | { readonly status: StopResult }

/** Of an answer to a prompt. The others are results of other calls. */
export function isAnswerResult(result: CallResult): result is AnswerResult {
  return result.status !== 'queued' && result.status !== 'cancelled' && result.status !== 'left'
}

/** A result that is not `accepted`, `queued` or `refused`, as one tab tells it to another. */
export type StoredResult =
  | { readonly status: 'staged' | 'too-late' | StopResult }
  | { readonly status: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly status: 'unconfirmed'; readonly error: StoredError }

/** The end of a call as one tab tells it to another. `error`: it was refused, or it threw. `isQueued`: its message waits. */
export interface PackedResult {
  readonly error?: StoredError | string | undefined
  readonly isQueued?: boolean | undefined
  readonly result?: StoredResult | undefined
}

/** Type guard of a result that comes from another tab. */
const isStoredResult: Guard<StoredResult> = variant<StoredResult, 'status'>('status', {
  staged: isRecord,
  'too-late': isRecord,
  cancelled: isRecord,
  left: isRecord,
  invalid: shape({ errors: isListOf(shape<FieldError>({ path: isString, message: isString })) }),
  unconfirmed: shape({ error: isError }),
})

export const isPackedResult: { readonly [Key in keyof PackedResult]-?: Guard<PackedResult[Key]> } = {
  error: (value): value is StoredError | string | undefined => isString(value) || isOptional(isError)(value),
  isQueued: (value): value is boolean | undefined => value === undefined || typeof value === 'boolean',
  result: isOptional(isStoredResult),
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
