import { type ConnectionFault, type ConnectionStep, breakConnection, framesOf } from './connection-fault.ts'
import type { Clock } from '../base/ports/clock.ts'

/** What happens to a whole attempt, before any packet of it. */
export type AttemptFault =
  /** No connection: the agent never receives the request. */
  | { readonly type: 'refuse' }
  /** The agent receives the request and runs, and the connection breaks before its headers. */
  | { readonly type: 'lose-answer' }
  /** The request is taken and never answered. */
  | { readonly type: 'mute' }
  /** Status 200 of an event stream, and not a byte in it. */
  | { readonly type: 'empty' }
  /** An HTTP status in place of an answer. `retryAfter`: seconds, or a date as HTTP writes it. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly retryAfter?: number | string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** Status 200 of something that is not an agent: a hotel's login page by default. With `text/event-stream`, any bytes you like. */
  | { readonly type: 'page'; readonly contentType?: string; readonly body?: string | Uint8Array<ArrayBuffer> }
  | { readonly type: 'redirect'; readonly status: 301 | 302 | 303 | 307 | 308; readonly location: string }
  /** The server forgets the run, as after a crash: it refuses with 409 (`conflict`) or begins again under a new stream id (`restart`, the default). */
  | { readonly type: 'lose-log'; readonly answer?: 'restart' | 'conflict' }

/** One connection attempt as the server saw it. */
export interface SeenAttempt {
  readonly requestId: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly lastEventId: string | undefined
  /** Such as `POST`. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Milliseconds on the clock of the agent. */
  readonly at: number
}

/** What becomes of an attempt. */
export type Outcome =
  | { readonly type: 'reset' | 'hang' }
  | { readonly type: 'answer'; readonly head: Response; readonly steps: AsyncGenerator<ConnectionStep, void, void> }

/** The attempt that a request is. @param body the request's, read already @param at milliseconds */
export function seenAttempt(http: Request, body: string, at: number): SeenAttempt {
  const headers = Object.fromEntries(http.headers)
  const { pathname, search } = new URL(http.url)
  return {
    requestId: requestIdOf(headers, body),
    headers,
    body,
    lastEventId: headers['last-event-id'],
    method: http.method,
    path: pathname + search,
    at,
  }
}

/** The header is optional (CAP section 6, rule 2). */
function requestIdOf(headers: Readonly<Record<string, string>>, body: string): string {
  return headers['x-request-id'] ?? /"request_id":\s*"([^"]*)"/.exec(body)?.[1] ?? ''
}

/** What becomes of an attempt whose request never reaches the agent. Undefined: it reaches it. */
export function answerInstead(fault: AttemptFault | ConnectionFault | undefined): Outcome | undefined {
  if (fault?.type === 'refuse') return { type: 'reset' }
  if (fault?.type === 'mute') return { type: 'hang' }
  const head = responseInstead(fault)
  return head && { type: 'answer', head, steps: stepsOf(head, undefined) }
}

/** What becomes of an answer on its way. */
export function answerOf(response: Response, fault: AttemptFault | ConnectionFault | undefined): Outcome {
  if (fault?.type === 'lose-answer') {
    response.body?.cancel().catch(() => undefined)
    return { type: 'reset' }
  }
  return { type: 'answer', head: response, steps: stepsOf(response, isConnectionFault(fault) ? fault : undefined) }
}

function isConnectionFault(fault: AttemptFault | ConnectionFault | undefined): fault is ConnectionFault {
  return (
    fault !== undefined &&
    !['refuse', 'lose-answer', 'mute', 'empty', 'status', 'page', 'redirect', 'lose-log'].includes(fault.type)
  )
}

/** What a connection does with a response. */
export function stepsOf(
  response: Response,
  fault: ConnectionFault | undefined,
): AsyncGenerator<ConnectionStep, void, void> {
  const frames = response.body === null ? none() : framesOf(response.body)
  return breakConnection(frames, fault)
}

async function* none(): AsyncGenerator<string, void> {}

/** What something between the client and the agent answers in its place. */
export const LOGIN_PAGE =
  '<!doctype html><title>Welcome</title><h1>Sign in to the network</h1><script>alert(1)</script>'

/** The response of a fault that never lets the agent answer. */
function responseInstead(fault: AttemptFault | ConnectionFault | undefined): Response | undefined {
  switch (fault?.type) {
    case 'empty':
      return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
    case 'page':
      return new Response(fault.body ?? LOGIN_PAGE, {
        headers: { 'content-type': fault.contentType ?? 'text/html; charset=utf-8' },
      })
    case 'redirect':
      return new Response(null, { status: fault.status, headers: { location: fault.location } })
    case 'status': {
      const headers = new Headers({ 'content-type': 'text/plain', ...fault.headers })
      if (fault.retryAfter !== undefined) headers.set('retry-after', String(fault.retryAfter))
      const bodiless = fault.status === 204 || fault.status === 304
      return new Response(bodiless ? null : (fault.body ?? ''), { status: fault.status, headers })
    }
    default:
      return undefined
  }
}

/** Answers requests as a server does: that of any agent, of any protocol, or a proxy to one. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** A handler, and what goes wrong on the way to it. */
export interface FaultyHandler {
  readonly attempts: readonly SeenAttempt[]
  /** How often the handler was called. */
  readonly runs: number
  /** @param body the request's, read already */
  take(http: Request, body: string, fault: AttemptFault | ConnectionFault | undefined): Promise<Outcome>
}

export function createFaultyHandler(handler: FetchHandler, clock: Clock): FaultyHandler {
  const attempts: SeenAttempt[] = []
  let runs = 0
  return {
    attempts,
    get runs() {
      return runs
    },
    async take(http, body, fault) {
      attempts.push(seenAttempt(http, body, clock.now()))
      const instead = answerInstead(fault)
      if (instead !== undefined) return instead
      runs += 1
      const { method, headers, signal } = http
      return answerOf(
        await handler(new Request(http.url, { method, headers, signal, ...(body !== '' && { body }) })),
        fault,
      )
    },
  }
}
