import type { AgentErrorInit, ErrorSeverity } from '../../base/agent-error.ts'
import { AgentError } from '../../base/agent-error.ts'
import { HttpRefusal } from '../http/http-refusal.ts'

/** A failure of the upstream, with the error for the client and the one for the operator. Neither quotes the upstream. */
export class UpstreamFailure extends HttpRefusal {
  readonly error: AgentError

  constructor(code: string, answer: Answer, retryAfterMs?: number) {
    const [status, message, init] = answer
    const headers = retryAfterMs === undefined ? undefined : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
    super({ status, code, message, headers })
    this.name = 'UpstreamFailure'
    const severity: ErrorSeverity = TRANSIENT.has(status) && code !== 'upstream_unauthorized' ? 'TRANSIENT' : 'FATAL'
    this.error = new AgentError({ ...init, severity, agentCode: code, retryAfterMs })
  }

  /** Whether the same request may be answered later. */
  get retryable(): boolean {
    return this.error.retryable
  }
}

/** Status and message for the client, and the error for the operator. */
type Answer = readonly [status: number, message: string, init: Omit<AgentErrorInit, 'severity' | 'agentCode'>]

const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function upstreamUnreachable(reason: string | undefined): UpstreamFailure {
  return new UpstreamFailure('upstream_unreachable', [
    502,
    'The agent could not be reached. Try again soon.',
    {
      kind: 'connection',
      code: 'network_error',
      message: 'The upstream could not be reached.',
      details: reason === undefined ? undefined : { reason },
    },
  ])
}

export function timedOut(ms: number): UpstreamFailure {
  return new UpstreamFailure('upstream_timeout', [
    504,
    'The agent did not answer in time. Try again soon.',
    {
      kind: 'connection',
      code: 'timeout',
      message: `The upstream was silent for ${ms} ms, so the connection was closed.`,
    },
  ])
}

export function upstreamCutOff(): UpstreamFailure {
  return new UpstreamFailure('upstream_unreachable', [
    502,
    'The connection to the agent broke. Try again soon.',
    {
      kind: 'connection',
      code: 'truncated',
      message: 'The connection to the upstream broke before the answer was complete.',
    },
  ])
}

/** Status 200 of something else: a page, or JSON that is no ServiceResponse. */
export function notAnAnswer(what: string): UpstreamFailure {
  return new UpstreamFailure('upstream_invalid', [
    502,
    'The upstream is not an agent. Check upstream and path of createAgentProxy.',
    {
      kind: 'protocol',
      code: 'unexpected_content_type',
      message: `The upstream answered with ${what}, which is neither an event stream nor a ServiceResponse. Check upstream and path.`,
    },
  ])
}

export function redirected(status: number): UpstreamFailure {
  return new UpstreamFailure('upstream_invalid', [
    502,
    'The upstream is not an agent. Check upstream and path of createAgentProxy.',
    {
      kind: 'protocol',
      code: 'http_error',
      status,
      message:
        'The upstream answered with a redirect. None is followed, because the secret would go along: name the final address as upstream.',
    },
  ])
}

/** A status outside of 2xx, as the client's own errors know it (CAP section 7, row 10). */
export function refused(status: number, retryAfterMs: number | undefined): UpstreamFailure {
  const [code, clientStatus, message, errorCode] = TABLE[status] ?? (status >= 500 ? FAILED : OTHER)
  const note = errorCode === 'unauthorized' ? ' Check what `headers` gives.' : ''
  return new UpstreamFailure(
    code,
    [
      clientStatus,
      message,
      { kind: 'runtime', code: errorCode, status, message: `The upstream answered with status ${status}.${note}` },
    ],
    retryAfterMs,
  )
}

type Row = readonly [code: string, status: number, message: string, errorCode: AgentErrorInit['code']]

const FAILED: Row = ['upstream_failed', 502, 'The agent failed before it could answer. Try again soon.', 'http_error']
const OTHER: Row = [
  'upstream_refused',
  502,
  'The agent rejected the request of this server. The onError of createAgentProxy has the details.',
  'http_error',
]
const INVALID: Row = ['invalid_request', 400, 'The agent rejected the request as invalid.', 'http_error']
const GONE: Row = [
  'log_expired',
  409,
  'The agent no longer has the log of this run, so the answer cannot be resumed. Ask again under a new request id.',
  'log_expired',
]
const LATE: Row = ['upstream_timeout', 504, 'The agent did not answer in time. Try again soon.', 'http_error']

const UNSUPPORTED: Row = ['upstream_refused', 501, 'The agent does not support this request.', 'http_error']

const TABLE: Readonly<Record<number, Row>> = {
  400: INVALID,
  // The credentials of this server were refused: the user cannot fix that by signing in.
  401: [
    'upstream_unauthorized',
    502,
    'The agent rejected the credentials of this server. Check headers of createAgentProxy.',
    'unauthorized',
  ],
  403: ['forbidden', 403, 'The agent refused this request.', 'forbidden'],
  404: [
    'not_found',
    404,
    'The agent of this server was not found. Check upstream and path of createAgentProxy.',
    'not_found',
  ],
  408: LATE,
  409: GONE,
  410: GONE,
  413: ['request_too_large', 413, 'The request is larger than the agent accepts.', 'http_error'],
  422: INVALID,
  425: ['upstream_unavailable', 503, 'The agent is not ready yet. Try again soon.', 'http_error'],
  429: ['rate_limited', 429, 'The agent is receiving too many requests. Wait before trying again.', 'rate_limited'],
  // The two statuses from 500 on after which a client does not try again either.
  501: UNSUPPORTED,
  503: ['upstream_unavailable', 503, 'The agent is not available at the moment. Try again soon.', 'http_error'],
  504: LATE,
  505: UNSUPPORTED,
}
