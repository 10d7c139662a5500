import type { Clock } from '../../base/ports/clock.ts'
import { systemClock } from '../../base/ports/clock.ts'
import { checkOwnOrigin } from '../http/cors.ts'
import {
  directOf,
  type Answer,
  type StreamAnswer,
  createReaderStallDetector,
  DEFAULT_STALL_TIMEOUT_MS,
  OPENING,
} from '../http/stream-response.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import { nodeCall, type NodeRequest, type NodeResponse } from './node-call.ts'

export interface NodeListenerOptions {
  /**
   * Where browsers believe the server is, such as `https://app.example`. Needed behind a proxy that ends TLS.
   *
   * @default from the `Host` header and the kind of the connection
   */
  readonly origin?: string | undefined
  /**
   * A socket that takes nothing for so many milliseconds, because its client does not read, is destroyed. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
}

const PIECE_BYTES = 65_536
/** Methods that a Request of fetch cannot have. */
const UNREPRESENTABLE: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT'])

export type NodeListener = (req: NodeRequest, res: NodeResponse) => void

/**
 * Serves a fetch handler from Node's `http` and `https`, and from Express: `createServer(toNodeListener(handler))`,
 * `app.use('/api', toNodeListener(handler))`. Sends no faster than the client reads; a client that leaves, or reads
 * nothing for `stallTimeoutMs`, aborts the signal of the request; a body that breaks off breaks the connection off. A
 * handler that rejects is answered by 500, and an address that is none by 400.
 *
 * @throws AgentError `invalid_config` for an `origin` that is not an address
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createAgentHandler, toNodeListener } from 'capstan/server'
 *
 * const handler = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }) })
 * createServer(toNodeListener(handler)).listen(3000)
 * ```
 */
export function toNodeListener(
  handler: (http: Request) => Promise<Response>,
  options: NodeListenerOptions = {},
): NodeListener {
  checkOwnOrigin(options.origin)
  return (req, res) => {
    // A failed socket is handled at `close`; without this listener an `error` event would end the process.
    res.on('error', () => {})
    void answer(handler, req, res, options).catch(() => res.destroy())
  }
}

async function answer(
  handler: (http: Request) => Promise<Response>,
  req: NodeRequest,
  res: NodeResponse,
  options: NodeListenerOptions,
): Promise<void> {
  const direct = directOf(handler)
  let status = 400
  let answered: Answer
  try {
    if (UNREPRESENTABLE.has(req.method ?? '')) throw methodNotAllowed(req.method)
    const call = nodeCall(req, res, options.origin)
    status = 500
    answered = await (direct === undefined ? handler(call.request()) : direct(call))
  } catch (error) {
    answered = error instanceof HttpRefusal ? error.toResponse() : new Response(null, { status })
  }
  // The unread rest of a body must not be parsed as the next request of the connection.
  if (!req.complete) res.shouldKeepAlive = false
  if (answered instanceof Response) await sendResponse(answered, req, res, options)
  else await sendStream(answered, res, options)
}

/** Writes what a log holds: the same bytes for all who follow it, and no stream in between. */
async function sendStream(
  { headers, chunks }: StreamAnswer,
  res: NodeResponse,
  options: NodeListenerOptions,
): Promise<void> {
  if (res.destroyed) {
    chunks.leave()
    return
  }
  res.once('close', () => chunks.leave())
  res.writeHead(200, { ...headers })
  await sendChunks(OPENING, () => chunks.next(), res, options)
}

async function sendResponse(
  response: Response,
  req: NodeRequest,
  res: NodeResponse,
  options: NodeListenerOptions,
): Promise<void> {
  res.writeHead(response.status, headersOf(response.headers))
  res.flushHeaders()
  if (req.method === 'HEAD') {
    await response.body?.cancel()
    res.end()
    return
  }
  const reader = response.body?.getReader()
  // Cancels a pending read. After the end of the body this has no effect.
  res.once('close', () => void reader?.cancel().catch(() => {}))
  await sendChunks(undefined, async () => (await reader?.read())?.value, res, options)
}

/** Sends no faster than the client reads, and not for ever to one that does not. */
async function sendChunks(
  first: Uint8Array | undefined,
  next: () => Promise<Uint8Array | undefined>,
  res: NodeResponse,
  { clock = systemClock, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS }: NodeListenerOptions,
): Promise<void> {
  const stall = createReaderStallDetector(clock, stallTimeoutMs, () => res.destroy())
  try {
    for (let chunk = first ?? (await next()); chunk !== undefined; chunk = await next()) {
      if (res.destroyed) return
      for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) {
        // A slow client that reads must be distinguished from a stalled one: it has to take a piece of a large chunk in time, not all of it.
        const piece = chunk.byteLength > PIECE_BYTES ? chunk.subarray(start, start + PIECE_BYTES) : chunk
        if (res.write(piece)) continue
        stall.waiting()
        await drained(res)
        stall.moved()
        if (res.destroyed) return
      }
    }
    if (res.destroyed) return
    // The client may not have read the last chunk yet.
    stall.waiting()
    res.once('close', () => stall.moved())
    res.end()
  } catch {
    // The body failed half-way: the client must see a broken connection, not a clean end. Earlier writes of this turn are sent first.
    clock.after(0, () => res.destroy())
  }
}

function methodNotAllowed(method: string | undefined): HttpRefusal {
  return new HttpRefusal({
    status: 405,
    code: 'method_not_allowed',
    message: `This server does not answer ${method}.`,
    headers: { allow: 'GET, HEAD, POST, PATCH, DELETE, OPTIONS' },
  })
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  const all: Record<string, string | string[]> = Object.fromEntries(headers)
  // Joined by commas, cookies could not be separated.
  if (cookies.length > 0) all['set-cookie'] = cookies
  return all
}

/** Resolves when the socket takes more, or never will. */
function drained(res: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle)
      res.off('close', settle)
      resolve()
    }
    res.on('drain', settle)
    res.on('close', settle)
  })
}
