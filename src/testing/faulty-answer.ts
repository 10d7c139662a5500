import type { Clock } from '../base/ports/clock.ts'
import { isJsonObject } from '../base/json-object.ts'
import { CONTROL_NAMES, type ControlName } from '../protocols/cap/handle.ts'

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
const LOGIN_PAGE = '<!doctype html><title>Welcome</title><h1>Sign in to the network</h1><script>alert(1)</script>'

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

/**
 * What one connection does to the event stream it carries. Places are counted in packets (frames that are no
 * comment) since the answer began; `pieces` in bytes per write.
 */
export type ConnectionFault =
  /**
   * The connection breaks (`reset`, the default) or ends as if the answer were complete (`end`). `into`: so many bytes of the packet after the
   * place still come.
   */
  | {
      readonly type: 'cut'
      readonly after: number
      readonly unit?: 'packets' | 'bytes'
      readonly how?: 'reset' | 'end'
      readonly into?: number
    }
  /** The server stays silent and the connection open; with `commentsEveryMs` only comments come. */
  | { readonly type: 'silence'; readonly after: number; readonly commentsEveryMs?: number }
  /** Packets are lost on the way. */
  | { readonly type: 'gap'; readonly after: number; readonly count: number }
  /** Two packets change places. */
  | { readonly type: 'swap'; readonly after: number }
  /** Every packet comes so many times. */
  | { readonly type: 'repeat'; readonly times: number }
  /** Everything sent so far is sent again, so many times. */
  | { readonly type: 'replay'; readonly after: number; readonly times: number }
  /** The replay of a resumed connection begins late: so many packets are left out, because the client is known to have them. */
  | { readonly type: 'overlap'; readonly from: number }
  /** Raw text or bytes between two packets: garbage, a `retry:` field, comments, another stream's packet. */
  | { readonly type: 'insert'; readonly after: number; readonly data: string | Uint8Array; readonly times?: number }
  /** Raw text after the last frame of the answer. */
  | { readonly type: 'append'; readonly data: string | Uint8Array }
  /** The same raw text again and again, until so many bytes or until the client has gone; then silence. */
  | { readonly type: 'endless'; readonly after: number; readonly data: string; readonly bytes: number }

/** What a connection does next. */
export type ConnectionStep =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'reset' | 'end' | 'hang' }

type Frames = AsyncIterable<string>

type Steps = AsyncGenerator<ConnectionStep, void, void>

const utf8 = new TextEncoder()

const send = (data: string | Uint8Array): ConnectionStep => ({
  type: 'send',
  bytes: typeof data === 'string' ? utf8.encode(data) : data,
})

const isPacket = (frame: string): boolean => !frame.startsWith(':')

/** The steps of a connection that carries `frames` and has `fault`; without a fault, all frames and a clean end. */
async function* breakConnection(frames: Frames, fault: ConnectionFault | undefined): Steps {
  if (fault?.type === 'cut' && fault.unit === 'bytes') yield* cutBytes(frames, fault.after, fault.how)
  else if (fault?.type === 'repeat') {
    for await (const frame of frames)
      for (let time = 0; time < (isPacket(frame) ? fault.times : 1); time += 1) yield send(frame)
  } else if (fault?.type === 'append') {
    for await (const frame of frames) yield send(frame)
    yield send(fault.data)
  } else if (fault === undefined) {
    for await (const frame of frames) yield send(frame)
  } else yield* breakAtPacket(frames, fault)
}

async function* cutBytes(frames: Frames, after: number, how: 'reset' | 'end' = 'reset'): Steps {
  let left = after
  if (left === 0) return yield { type: how }
  for await (const frame of frames) {
    const bytes = utf8.encode(frame)
    yield { type: 'send', bytes: bytes.subarray(0, left) }
    left -= bytes.byteLength
    if (left <= 0) return yield { type: how }
  }
}

type FaultAtPacket = Exclude<ConnectionFault, { readonly type: 'repeat' | 'append' }>

/** Comments are passed on; the fault comes where the packet after its place would be, or at the end. */
async function* breakAtPacket(frames: Frames, fault: FaultAtPacket): Steps {
  const place = fault.type === 'overlap' ? 0 : fault.after
  const said: string[] = []
  let held: string | undefined
  let packets = 0
  let done = false
  // A cut does not wait for a packet that is never sent.
  const into = fault.type === 'cut' ? (fault.into ?? 0) : 0
  const early = (fault.type === 'cut' && into === 0) || fault.type === 'silence' || fault.type === 'endless'
  if (early && place === 0) return yield* strike(fault, said)
  for await (const frame of frames) {
    if (!isPacket(frame)) {
      yield send(frame)
      continue
    }
    packets += 1
    if (fault.type === 'gap' && packets > place && packets <= place + fault.count) continue
    if (fault.type === 'overlap' && packets <= fault.from) continue
    if (fault.type === 'swap' && packets === place + 1) {
      held = frame
      continue
    }
    if (!early && !done && packets > place) {
      done = true
      if (into > 0) {
        yield { type: 'send', bytes: utf8.encode(frame).subarray(0, into) }
        return yield* strike(fault, said)
      }
      yield* strike(fault, said)
    }
    said.push(frame)
    yield send(frame)
    if (held !== undefined) yield send(held)
    held = undefined
    if (early && packets === place) return yield* strike(fault, said)
  }
  if (held !== undefined) yield send(held)
  if (!done) yield* strike(fault, said)
}

async function* strike(fault: FaultAtPacket, said: readonly string[]): Steps {
  switch (fault.type) {
    case 'cut':
      return yield { type: fault.how ?? 'reset' }
    case 'silence': {
      const every = fault.commentsEveryMs
      while (every !== undefined) {
        yield { type: 'wait', ms: every }
        yield send(': alive\n\n')
      }
      return yield { type: 'hang' }
    }
    case 'replay':
      for (let time = 0; time < fault.times; time += 1) for (const frame of said) yield send(frame)
      return
    case 'insert':
      for (let time = 0; time < (fault.times ?? 1); time += 1) yield send(fault.data)
      return
    case 'endless': {
      const bytes = utf8.encode(fault.data)
      for (let sent = 0; sent < fault.bytes; sent += bytes.byteLength) yield { type: 'send', bytes }
      return yield { type: 'hang' }
    }
    case 'gap':
    case 'swap':
    case 'overlap':
      return
  }
}

/** Cuts an event stream after each blank line. What is left at the end comes last. */
async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      for (let end = endOfFrame(text); end !== -1; end = endOfFrame(text)) {
        yield text.slice(0, end)
        text = text.slice(end)
      }
    }
    if (text !== '') yield text
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Where the first event of a text ends, behind its blank line; -1 when it has none. */
function endOfFrame(text: string): number {
  const blank = /\r\n\r\n|\n\n|\r\r(?!\n)/.exec(text)
  return blank === null ? -1 : blank.index + blank[0].length
}

/** What happens to one request on a control endpoint: a cancel, an answer, or a message into the running answer. */
export type CommandFault =
  /** It never arrives. */
  | { readonly type: 'lose' }
  /** It arrives and is carried out, and its response is lost: the client cannot know. */
  | { readonly type: 'lose-answer' }
  /** It arrives twice. */
  | { readonly type: 'double' }
  /** It arrives so many milliseconds later. */
  | { readonly type: 'delay'; readonly ms: number }
  /** It is refused with an HTTP status, and not carried out. `retryAfter`: seconds. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: number }
  /** Something in between answers it with status 200 and a page, such as the login page of a network. */
  | { readonly type: 'page' }
  /** Something in between redirects it, with status 302, such as to the page of a sign-in. */
  | { readonly type: 'redirect'; readonly location: string }

/** One request on a control endpoint, as the server saw it. */
export interface SeenCommand {
  readonly requestId: string
  readonly name: ControlName
  /** What was sent, as JSON. */
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds on the clock of the agent. */
  readonly at: number
}

/** One fault per request on a control endpoint, in order; later ones arrive. A function is asked at each. */
export type CommandFaults =
  | readonly (CommandFault | undefined)[]
  | ((command: SeenCommand, ordinal: number) => CommandFault | undefined)

const CONTROL = new RegExp(`/runs/([^/]+)/(${CONTROL_NAMES.join('|')})$`)

/** What a request on a control endpoint asks for; undefined for any other request. */
export function seenCommand(http: Request, body: string, at: number): SeenCommand | undefined {
  const [, requestId = '', found] = CONTROL.exec(new URL(http.url).pathname) ?? []
  const name = CONTROL_NAMES.find((each) => each === found)
  return name === undefined ? undefined : { requestId, name, body: parsed(body), at }
}

/** Takes a command to the server, or not. Undefined: the connection broke. */
export async function carryCommand(
  send: () => Promise<Response>,
  fault: CommandFault | undefined,
  clock: Clock,
): Promise<Response | undefined> {
  switch (fault?.type) {
    case 'lose':
      return undefined
    case 'lose-answer':
      await send()
      return undefined
    case 'double':
      await send()
      return send()
    case 'status': {
      const { status, retryAfter } = fault
      return new Response(null, {
        status,
        ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      })
    }
    case 'page':
      return new Response(LOGIN_PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: fault.location } })
    case 'delay':
      await new Promise<void>((resolve) => {
        clock.after(fault.ms, resolve)
      })
      return send()
    case undefined:
      return send()
  }
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
