import type { Clock } from '../../base/clock.ts'
import { systemClock } from '../../base/clock.ts'
import { nodeBody } from './node-body.ts'
import type { NodeRequest, NodeResponse } from './node-http.ts'
import { createStallDetector, DEFAULT_STALL_TIMEOUT_MS } from '../http/stall-detector.ts'

export interface NodeListenerOptions {
  /**
   * Where browsers believe the server is, such as `https://app.example`. Needed behind a proxy that ends TLS; without it the
   * address is put together from the `Host` header and the kind of the connection.
   */
  readonly origin?: string | undefined
  /**
   * A socket that takes nothing for so many milliseconds, because its client does not read, is destroyed. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  readonly clock?: Clock | undefined
}

const PIECE_BYTES = 65_536

export type NodeListener = (req: NodeRequest, res: NodeResponse) => void

/**
 * Serves a fetch handler from Node's `http` and `https`, and from Express: `createServer(toNodeListener(handler))`,
 * `app.use('/api', toNodeListener(handler))`. Sends no faster than the client reads; a client that leaves, or reads nothing for
 * `stallTimeoutMs`, aborts the signal of the request; a body that breaks off breaks the connection off. A handler that rejects is answered by 500,
 * and an address that is none by 400.
 */
export function toNodeListener(handler: (http: Request) => Promise<Response>, options: NodeListenerOptions = {}): NodeListener {
  return (req, res) => {
    // A socket that fails is heard of as `close`; without a listener it would end the process.
    res.on('error', () => {})
    void answer(handler, req, res, options).catch(() => res.destroy())
  }
}

async function answer(handler: (http: Request) => Promise<Response>, req: NodeRequest, res: NodeResponse, options: NodeListenerOptions): Promise<void> {
  let status = 400
  let response: Response
  try {
    const http = toRequest(req, res, options.origin)
    status = 500
    response = await handler(http)
  } catch {
    response = new Response(null, { status })
  }
  await sendResponse(response, req, res, options)
}

function toRequest(req: NodeRequest, res: NodeResponse, origin: string | undefined): Request {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(req.headers)) {
    // Names that HTTP/2 adds are no headers.
    if (name.startsWith(':')) continue
    for (const item of typeof value === 'string' ? [value] : value) headers.append(name, item)
  }
  const left = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) left.abort(new Error('The client closed the connection.'))
  })
  const method = req.method ?? 'GET'
  const init: RequestInit = { method, headers, signal: left.signal }
  if (method !== 'GET' && method !== 'HEAD') {
    init.body = nodeBody(req)
    // The DOM types do not know `duplex`, which fetch demands for a streamed body.
    Object.assign(init, { duplex: 'half' })
  }
  // A path of two slashes would name another host.
  const path = (req.originalUrl ?? req.url ?? '/').replace(/^\/*/, '/')
  return new Request(new URL(path, origin ?? `${protocolOf(req)}://${String(req.headers['host'] ?? 'localhost')}`), init)
}

function protocolOf({ protocol, socket }: NodeRequest): string {
  return protocol ?? ('encrypted' in socket ? 'https' : 'http')
}

async function sendResponse(response: Response, req: NodeRequest, res: NodeResponse, options: NodeListenerOptions): Promise<void> {
  // What is left of a body that nobody reads must not be taken for the next request of the connection.
  if (!req.complete) res.shouldKeepAlive = false
  res.writeHead(response.status, headersOf(response))
  res.flushHeaders()
  if (req.method === 'HEAD') {
    await response.body?.cancel()
    res.end()
    return
  }
  const { clock = systemClock, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = options
  const stall = createStallDetector(clock, stallTimeoutMs, () => res.destroy())
  const reader = response.body?.getReader()
  // Ends the read that may be waiting; one that has ended already does not mind.
  const leave = (): void => void reader?.cancel().catch(() => {})
  res.once('close', leave)
  try {
    for (;;) {
      const step = await reader?.read()
      if (res.destroyed) return
      if (!step || step.done) break
      for (const piece of piecesOf(step.value)) {
        if (res.write(piece)) continue
        stall.waiting()
        await drained(res)
        stall.moved()
        if (res.destroyed) return
      }
    }
    // The last piece may still wait for the client.
    stall.waiting()
    res.once('close', () => stall.moved())
    res.end()
  } catch {
    // The body failed half-way: a cut tells the client so, a clean end would lie.
    res.destroy()
  }
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  const all: Record<string, string | string[]> = Object.fromEntries(headers)
  // Joined by commas, cookies could not be told apart.
  if (cookies.length > 0) all['set-cookie'] = cookies
  return all
}

/** A slow client that reads must be told from one that does not: it has to take a piece of a large chunk in time, not all of it. */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) yield chunk.subarray(start, start + PIECE_BYTES)
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
