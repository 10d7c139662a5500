import { AgentError, isAgentError } from '../../base/agent-error.ts'
import { abortReason } from '../../base/on-abort.ts'
import type { ModelFailureCode } from '../run/run-verdicts.ts'
import { retryAfter } from '../../wire/http-errors.ts'
import type { ModelRun } from './model-output.ts'

/**
 * A model that has not answered to the end. Its message is for `onError` of the handler; clients get `internal_error`, as for anything
 * that an agent throws.
 *
 * @param reason how it ended, in the words of its vendor
 */
export function modelError(reason: string, cause?: unknown): AgentError {
  return failure(reason, { cause })
}

/** A model call that failed for a known reason, which clients see. */
export function modelFailure(
  code: ModelFailureCode,
  reason: string,
  more: { readonly cause?: unknown; readonly retryAfterMs?: number | undefined } = {},
): AgentError {
  return failure(reason, { ...more, agentCode: code })
}

function failure(
  reason: string,
  {
    cause,
    agentCode,
    retryAfterMs,
  }: { cause?: unknown; agentCode?: ModelFailureCode; retryAfterMs?: number | undefined },
): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    message: `The model has not answered to the end: ${reason}.`,
    ...(agentCode !== undefined && { agentCode }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(cause !== undefined && { cause }),
  })
}

const OUTPUT_LIMIT = /^(length|max_tokens|max_output_tokens|max_completion_tokens|model_length|max_length)$/i

const CONTEXT_LIMIT = /^(model_context_window_exceeded|context_length_exceeded)$/i

const FILTERED =
  /filter|safety|prohibited|blocklist|recitation|^(refusal|spii|sensitive|guardrail_intervened|error_toxic|image_other)$/i

/** Fails for the reason with which a vendor has ended an answer that is not whole. @param reason as the vendor writes it */
export function finishError(reason: string): AgentError {
  const code = OUTPUT_LIMIT.test(reason)
    ? 'model_output_limit'
    : CONTEXT_LIMIT.test(reason)
      ? 'model_context_too_long'
      : FILTERED.test(reason)
        ? 'model_content_filtered'
        : undefined
  const text = `finish reason ${reason}`
  return code === undefined ? modelError(text) : modelFailure(code, text)
}

/** What to throw for a model whose call was aborted: the reason of the run where that was it. */
export function modelAborted(signal: AbortSignal): Error {
  return signal.aborted ? abortReason(signal, 'The run was aborted.') : modelError('its call was aborted')
}

/** What the errors of vendors have in common, wherever an SDK puts it. */
interface ErrorFacts {
  /** Statuses of HTTP from 400 on. */
  readonly statuses: number[]
  /** Codes, types and class names. */
  readonly names: string[]
  readonly messages: string[]
  /** Why Gemini has blocked a prompt or an answer. */
  readonly blocked: string[]
  retryAfterMs: number | undefined
}

/** Members that hold the error that an SDK has wrapped, or the body of the vendor's response. */
const INNER = ['cause', 'error', 'lastError', 'data'] as const

const NAMES = ['code', 'type', 'name', 'status', 'lc_error_code'] as const

const STATUSES = ['status', 'statusCode', 'status_code', 'code'] as const

const DEEPEST = 5

const QUOTA = /^(insufficient_quota|billing_error|billing_hard_limit_reached|billing_not_active)$/i

const CONTEXT = /^(context_length_exceeded|context_overflow|contextoverflowerror|request_too_large)$/i

const FILTER = /content_?filter|content_policy|moderation_blocked|responsibleai|^ModelRefusalError$/i

const CREDENTIALS =
  /^(authentication_error|permission_error|invalid_api_key|model_authentication|unauthenticated|permission_denied|ai_loadapikeyerror)$/i

const RATE = /^(rate_limit_error|rate_limit_exceeded|model_rate_limit|resource_exhausted|too_many_requests)$/i

const DOWN =
  /^(overloaded_error|server_error|api_error|internal_server_error|timeout_error|unavailable|APIConnection(Timeout)?Error|TimeoutError|ConnectTimeoutError|ECONN\w+|E?(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR_\w+)$/i

const REQUEST = /^(invalid_request_error|not_found_error|model_not_found|invalid_argument)$/i

/** Vendors that have no code for it write a sentence. */
const TOO_LONG = /(prompt|input|context|request|tokens?)\b.{0,60}(too long|exceed)|maximum context length/i

const NO_CREDIT = /credit balance is too low/i

const BAD_KEY = /api[ _-]?key not valid/i

/**
 * The typed failure for an error of a vendor's SDK, by its status and code. An error without either is returned unchanged: its fault may lie
 * in the app.
 */
export function vendorError(error: unknown): unknown {
  if (isAgentError(error)) return error
  const facts: ErrorFacts = { statuses: [], names: [], messages: [], blocked: [], retryAfterMs: undefined }
  collect(error, facts, 0)
  const [blocked] = facts.blocked
  if (blocked !== undefined) {
    const { agentCode } = finishError(blocked)
    const code = agentCode === 'model_output_limit' ? agentCode : 'model_content_filtered'
    return modelFailure(code, `it was blocked, ${blocked}`, { cause: error })
  }
  const code = codeOf(facts)
  if (code === undefined) return error
  const { statuses, names, retryAfterMs } = facts
  return modelFailure(code, statuses[0] === undefined ? (names[0] ?? code) : `HTTP status ${statuses[0]}`, {
    cause: error,
    retryAfterMs,
  })
}

/** The failure for an error that a vendor has put into its stream. @param error as the vendor has written it */
export function streamedError(error: unknown): Error {
  const known = vendorError(error)
  return known instanceof Error ? known : modelError('an error in its stream', error)
}

/** What a model streams, whose errors are typed failures. */
export async function* modelStream<Chunk>(
  stream: AsyncIterable<Chunk> | PromiseLike<AsyncIterable<Chunk>>,
  { signal }: Pick<ModelRun, 'signal'>,
): AsyncGenerator<Chunk, void> {
  try {
    yield* await stream
  } catch (error) {
    throw signal.aborted ? error : vendorError(error)
  }
}

function codeOf({ statuses, names, messages }: ErrorFacts): ModelFailureCode | undefined {
  const status = statuses[0] ?? 0
  const named = (pattern: RegExp): boolean => names.some((name) => pattern.test(name))
  const isRequest = status === 400 || status === 0
  const written = (pattern: RegExp): boolean => isRequest && messages.some((message) => pattern.test(message))
  const hasCode = status !== 0 || named(REQUEST)
  if (status === 402 || named(QUOTA) || (hasCode && written(NO_CREDIT))) return 'model_quota_exceeded'
  if (status === 413 || named(CONTEXT) || (hasCode && written(TOO_LONG))) return 'model_context_too_long'
  if (named(FILTER)) return 'model_content_filtered'
  if (status === 401 || status === 403 || named(CREDENTIALS) || (hasCode && written(BAD_KEY)))
    return 'model_unauthorized'
  if (status === 429 || named(RATE)) return 'model_rate_limited'
  if (status >= 500 || status === 408 || named(DOWN)) return 'model_unavailable'
  return hasCode ? 'model_request_rejected' : undefined
}

function collect(value: unknown, facts: ErrorFacts, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return
  const read = (key: string): unknown => Reflect.get(value, key)
  for (const key of STATUSES) {
    const status = read(key)
    if (typeof status === 'number' && status >= 400 && status < 600) facts.statuses.push(status)
  }
  for (const name of [...NAMES.map(read), value.constructor?.name])
    if (typeof name === 'string' && name !== '' && name !== 'Error' && name !== 'Object') facts.names.push(name)
  const message = read('message')
  if (typeof message === 'string') facts.messages.push(message)
  for (const key of ['blockReason', 'finishReason']) {
    const blocked = read(key)
    if (typeof blocked === 'string') facts.blocked.push(blocked)
  }
  facts.retryAfterMs ??= waitOf(read('headers') ?? read('responseHeaders'))
  for (const key of INNER) collect(read(key), facts, depth + 1)
}

/** How long the vendor asks to wait. */
function waitOf(headers: unknown): number | undefined {
  if (headers instanceof Headers) return retryAfter(headers)
  if (typeof headers !== 'object' || headers === null) return undefined
  const value: unknown = Reflect.get(headers, 'retry-after')
  return typeof value === 'string' ? retryAfter(new Headers({ 'retry-after': value })) : undefined
}

/** Text of a field that may be absent, null or of another type. Undefined for empty text too. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value of JSON text. Undefined for text that is not valid JSON; empty text is an empty input. */
export function parseInput(json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
