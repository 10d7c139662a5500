import type { AgentErrorInit, ErrorCode, ErrorSeverity } from '../base/agent-error.ts'
import { isJsonObject } from '../base/json-object.ts'
import { clampWait } from '../base/backoff.ts'
import type { BodyAnswer } from './transport.ts'

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'log_expired',
  410: 'log_expired',
  429: 'rate_limited',
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The agent rejected the request as invalid.',
  401: 'The agent rejected the credentials. Sign in again or check the API key.',
  403: 'The agent refused access with these credentials.',
  404: 'The agent was not found. Check baseUrl and path.',
  409: 'The agent no longer has the log of this run, so the answer cannot be resumed. Ask again.',
  410: 'The agent no longer has the log of this run, so the answer cannot be resumed. Ask again.',
  413: 'The request is larger than the agent accepts.',
  422: 'The agent rejected the request as invalid.',
  429: 'The agent is receiving too many requests. Wait before trying again.',
  503: 'The agent is not available at the moment.',
  504: 'The agent did not answer in time.',
}

const MOST_BODY_BYTES = 2000
/** A cancel that has arrived, of which it is not known whether the agent has stopped. */
const CANCEL_UNCONFIRMED = 'cancel_unconfirmed'

/**
 * What is wrong, for an answer with a status outside 2xx. The body helps developers; it never becomes the headline.
 * @param request method and path of the request, named where they are likely to be wrong
 */
export async function httpErrorInit(answer: BodyAnswer, request?: string): Promise<AgentErrorInit> {
  const body = await answer.text({ maxBytes: MOST_BODY_BYTES, truncate: true }).catch(() => '')
  const reported = answer.contentType === 'application/json' ? readReportedError(body) : {}
  // The server has waited for the agent already: asking again would tell nothing more.
  const isFinal = reported.code === CANCEL_UNCONFIRMED
  const severity: ErrorSeverity = isTransient(answer.status) && !isFinal ? 'TRANSIENT' : 'FATAL'
  return {
    kind: 'runtime',
    code: CODES[answer.status] ?? 'http_error',
    severity,
    message:
      reported.message ??
      (answer.status === 404 && request !== undefined
        ? `${request} returned 404. Check baseUrl and path.`
        : undefined) ??
      MESSAGES[answer.status] ??
      `The agent answered with HTTP status ${answer.status}.`,
    agentCode: reported.code,
    status: answer.status,
    retryAfterMs: retryAfter(answer.headers) ?? reported.retryAfterMs,
    details: { contentType: answer.contentType, body: body || undefined },
  }
}

/** A 2xx answer that is neither an event stream nor JSON (CAP section 7, row 27; a captive portal, a proxy's page). */
export async function contentTypeErrorInit(answer: BodyAnswer): Promise<AgentErrorInit> {
  const body = await answer.text({ maxBytes: MOST_BODY_BYTES, truncate: true }).catch(() => '')
  return {
    kind: 'protocol',
    code: 'unexpected_content_type',
    severity: 'FATAL',
    message: `The answer is ${answer.contentType === '' ? 'of no declared type' : answer.contentType}, not an event stream or JSON: something other than the agent answered. Check baseUrl, path and proxies.`,
    status: answer.status,
    details: { contentType: answer.contentType, body: body || undefined },
  }
}

/**
 * Whether the same request may succeed later (CAP section 7, rows 9 and 10). Networks in front of an agent have statuses of their
 * own for an agent that restarts, such as 520 to 530: every one from 500 on counts, but for the two that are about the request.
 */
function isTransient(status: number): boolean {
  return status >= 500 ? status !== 501 && status !== 505 : status === 408 || status === 425 || status === 429
}

/** Whether the status is outside of 2xx, so that no answer follows. */
export function isRefusal(status: number): boolean {
  return status < 200 || status >= 300
}

interface ReportedError {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** What a JSON error body says of itself: a StreamError, or anything with `code`, `message`, `error` or `detail`. */
function readReportedError(body: string): ReportedError {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return {}
  }
  if (!isJsonObject(value)) return {}
  const { code, message, detail, error, details } = isJsonObject(value.error) ? value.error : value
  return {
    code: nonEmpty(code),
    message: nonEmpty(message) ?? nonEmpty(detail) ?? nonEmpty(error),
    retryAfterMs: retryAfterOf(details),
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `retry_after` of a StreamError's details, in seconds (CAP section 3.2), as milliseconds. */
export function retryAfterOf(details: unknown): number | undefined {
  const seconds = isJsonObject(details) ? details.retry_after : undefined
  return typeof seconds === 'number' && Number.isFinite(seconds) ? clampWait(seconds * 1000) : undefined
}

/** The Retry-After header, seconds or date; a date is read against the server's own clock. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return clampWait(Number(value) * 1000)
  const wait = Date.parse(value) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(wait) ? undefined : clampWait(wait)
}
