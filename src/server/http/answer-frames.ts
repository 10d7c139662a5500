import type { Clock } from '../../base/ports/clock.ts'
import { noop } from '../../base/noop.ts'
import { POSITION } from '../../wire/frame-requests.ts'
import { mediaTypeOf } from '../../wire/fetch-transport.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import type { SseFrame } from '../../wire/transport.ts'
import { checkOrigin } from './cors.ts'
import { HttpRefusal } from './http-refusal.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { invalidRequest } from './incoming-call.ts'

/** The request that opened the connection. */
interface UpgradeRequest {
  readonly url: URL
  readonly headers: Headers
}

/** What clients of CAP send beside a body. */
const REQUEST_HEADERS = ['accept', 'authorization', 'content-type', 'last-event-id', 'x-request-id']
/** Headers of the connection itself, of a body that the opening request does not have, and of the page, which was checked when it opened. */
const OF_THE_CONNECTION =
  /^(?:connection|upgrade|keep-alive|te|trailer|transfer-encoding|expect|origin|sec-fetch-.*|content-.*|sec-websocket-.*)$/
const METHODS: ReadonlySet<unknown> = new Set(['GET', 'POST'])

/**
 * The request that the first frame of a connection makes: a body, and what HTTP would say next to it under `http`. A frame without that
 * is a body. Headers of the opening request hold over those of the frame: a gateway in front sets them, and a page sets these.
 *
 * @param allowed names of headers that frames may hold beside those of CAP, in lower case
 * @throws HttpRefusal 400
 */
export function readRequestFrame(
  frame: string,
  { url, headers: opening }: UpgradeRequest,
  allowed: readonly string[],
  signal: AbortSignal,
): Request {
  const { http, ...body } = parseFrame(frame) ?? { http: undefined }
  const isBare = !isJsonObject(http)
  const method = isBare ? 'POST' : http['method']
  if (!METHODS.has(method)) throw invalidRequest('A frame asks with GET or POST.')
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(isBare || !isJsonObject(http['headers']) ? {} : http['headers'])) {
    const known = name.toLowerCase()
    if (!REQUEST_HEADERS.includes(known) && !allowed.includes(known))
      throw invalidRequest(
        `This server takes no header ${JSON.stringify(name)} in a frame. List it in \`headers\` of the upgrade listener.`,
      )
    setHeader(headers, known, value)
  }
  for (const [name, value] of opening) if (!OF_THE_CONNECTION.test(name)) headers.set(name, value)
  if (method === 'GET') {
    headers.delete('content-type')
    return new Request(url, { method, headers, signal })
  }
  // What is not a JSON object is left to the reader of bodies, who says what is wrong with it.
  return new Request(url, { method: 'POST', headers, signal, body: isBare ? frame : JSON.stringify(body) })
}

function parseFrame(frame: string): JsonObject | undefined {
  try {
    const value = parseBoundedJson(frame)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function setHeader(headers: Headers, name: string, value: unknown): void {
  try {
    if (typeof value === 'string') return headers.set(name, value)
  } catch {
    // Below.
  }
  throw invalidRequest(`The header ${name} of a frame has to be text that HTTP allows.`)
}

/** The server's end of a connection of text frames. */
export interface FrameCaller {
  readonly frames: AsyncIterable<readonly string[]>
  /** Sends one frame. Waits where the caller reads more slowly. Throws when the connection is closed. */
  send(frame: string): void | Promise<void>
  /** Closes the connection in order. */
  close(): void
  /** Closes it so that the caller knows that something is missing. */
  breakOff(): void
}

export interface AnswerFramesOptions {
  readonly handler: (http: Request) => Promise<Response>
  readonly caller: FrameCaller
  readonly opening: UpgradeRequest
  /** Origins of pages that may connect, beside the server's own. */
  readonly origins: readonly string[]
  /** Headers that frames may hold beside those of CAP, in lower case. */
  readonly headers: readonly string[]
  readonly firstFrameTimeoutMs: number
  readonly clock: Clock
}

/** Longest packet that is sent; what the handler writes is shorter. */
const MAX_PACKET_BYTES = 50_000_000

/**
 * Answers one connection: reads the request in its first frame, asks the handler, and sends a head and then a packet a frame, or a body
 * as one frame. Never rejects.
 */
export async function answerFrames(options: AnswerFramesOptions): Promise<void> {
  const { caller } = options
  const left = new AbortController()
  try {
    const response = await respond(options, left)
    if (left.signal.aborted) await response.body?.cancel()
    else await send(response, options, left.signal)
    caller.close()
  } catch {
    caller.breakOff()
  } finally {
    left.abort()
  }
}

async function respond(options: AnswerFramesOptions, left: AbortController): Promise<Response> {
  const { handler, caller, opening, origins, headers } = options
  let status = 400
  try {
    const frames = caller.frames[Symbol.asyncIterator]()
    const first = await firstFrame(frames, options)
    // Nothing more is asked on this connection. That it ends says that the caller has left.
    void readOut(frames).then(() => left.abort(new Error('The client closed the connection.')))
    checkOrigin({ url: new URL(opening.url), header: (name) => opening.headers.get(name) }, { origins })
    const http = readRequestFrame(first, opening, headers, left.signal)
    status = 500
    return await handler(http)
  } catch (error) {
    if (error instanceof HttpRefusal) return error.toResponse()
    return new Response(null, { status })
  }
}

async function firstFrame(
  frames: AsyncIterator<readonly string[]>,
  { clock, firstFrameTimeoutMs }: AnswerFramesOptions,
): Promise<string> {
  let cancel = noop
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(firstFrameTimeoutMs, () =>
      reject(
        new HttpRefusal({
          status: 408,
          code: 'request_timeout',
          message: 'No request came on this connection in time.',
        }),
      ),
    )
  })
  try {
    for (;;) {
      const step = await Promise.race([frames.next(), late])
      if (step.done === true) throw new Error('The client left before it asked.')
      const first = step.value.find((frame) => frame !== '')
      if (first !== undefined) return first
    }
  } finally {
    cancel()
  }
}

async function readOut(frames: AsyncIterator<readonly string[]>): Promise<void> {
  try {
    while ((await frames.next()).done !== true);
  } catch {
    // A connection that broke has ended too.
  }
}

async function send(response: Response, { caller, clock }: AnswerFramesOptions, left: AbortSignal): Promise<void> {
  const { status, headers, body } = response
  const date = new Date(clock.date()).toUTCString()
  await caller.send(JSON.stringify({ status, headers: { date, ...Object.fromEntries(headers) } }))
  if (body === null) return
  if (mediaTypeOf(headers.get('content-type')) !== 'text/event-stream') return caller.send(await response.text())
  const reader = body.getReader()
  left.addEventListener('abort', () => void reader.cancel().catch(noop), { once: true })
  try {
    await sendPackets(reader, caller)
  } finally {
    reader.cancel().catch(noop)
  }
}

async function sendPackets(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>,
  caller: FrameCaller,
): Promise<void> {
  let frames: SseFrame[] = []
  const decoder = createSseDecoder({ maxFrameBytes: MAX_PACKET_BYTES, onFrame: (frame) => frames.push(frame) })
  const position = positionWriter()
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    frames = []
    decoder.push(step.value)
    for (const frame of frames) {
      const moved = position(frame)
      if (moved !== undefined) await caller.send(moved)
      await caller.send(frame.data)
    }
    // A comment says that the run is alive.
    if (frames.length === 0 && decoder.completed) await caller.send('')
    if (decoder.overflowed) throw new Error('A packet is too long.')
  }
}

/** Says where packets are whose position is another than the stream id that they hold. */
function positionWriter(): (frame: SseFrame) => string | undefined {
  let last = ''
  let isWritten = false
  return ({ id, data }) => {
    if (id === last) return undefined
    last = id
    isWritten ||= !data.includes(JSON.stringify(id))
    return isWritten ? `${POSITION}${JSON.stringify(id)}}` : undefined
  }
}
