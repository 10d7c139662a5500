import { nodeBody } from './node-body.ts'
import type { NodeRequest, NodeResponse } from './node-http.ts'

export interface NodeListenerOptions {
  /**
   * Where browsers believe the server is, such as `https://app.example`. Needed behind a proxy that ends TLS; without it the
   * address is put together from the `Host` header and the kind of the connection.
   */
  readonly origin?: string | undefined
}

export type NodeListener = (req: NodeRequest, res: NodeResponse) => void

/**
 * Serves a fetch handler from Node's `http` and `https`, and from Express: `createServer(toNodeListener(handler))`,
 * `app.use('/api', toNodeListener(handler))`. Sends no faster than the client reads; a client that leaves aborts the
 * signal of the request; a body that breaks off breaks the connection off. A handler that rejects is answered by 500,
 * and an address that is none by 400.
 */
export function toNodeListener(handler: (http: Request) => Promise<Response>, options: NodeListenerOptions = {}): NodeListener {
  return (req, res) => {
    // A socket that fails is heard of as `close`; without a listener it would end the process.
    res.on('error', () => {})
    void answer(handler, req, res, options.origin).catch(() => res.destroy())
  }
}

async function answer(handler: (http: Request) => Promise<Response>, req: NodeRequest, res: NodeResponse, origin: string | undefined): Promise<void> {
  let status = 400
  let response: Response
  try {
    const http = toRequest(req, res, origin)
    status = 500
    response = await handler(http)
  } catch {
    response = new Response(null, { status })
  }
  await sendResponse(response, req, res)
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

async function sendResponse(response: Response, req: NodeRequest, res: NodeResponse): Promise<void> {
  // What is left of a body that nobody reads must not be taken for the next request of the connection.
  if (!req.complete) res.shouldKeepAlive = false
  res.writeHead(response.status, headersOf(response))
  res.flushHeaders()
  if (req.method === 'HEAD') {
    await response.body?.cancel()
    res.end()
    return
  }
  const reader = response.body?.getReader()
  // Ends the read that may be waiting; one that has ended already does not mind.
  const leave = (): void => void reader?.cancel().catch(() => {})
  res.once('close', leave)
  try {
    for (;;) {
      const step = await reader?.read()
      if (res.destroyed) return
      if (!step || step.done) break
      if (!res.write(step.value)) await drained(res)
    }
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
