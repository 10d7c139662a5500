import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyStream } from '../../src/server/platforms/node-call.ts'

/** Makes a fetch Request of a node request. `body` is given where the bytes were read before. */
export function toRequest(req: IncomingMessage, res: ServerResponse, body?: Uint8Array): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    for (const item of Array.isArray(value) ? value : [value ?? '']) headers.append(name, item)
  }
  const left = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) left.abort(new Error('The client closed the connection.'))
  })
  const init: RequestInit = { method: req.method ?? 'GET', headers, signal: left.signal }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    // `body` may be backed by shared memory as far as its type knows; node's buffers never are.
    init.body = (body as Uint8Array<ArrayBuffer> | undefined) ?? bodyStream(req)
    // The DOM types do not know `duplex`, which fetch demands for a streamed body.
    Object.assign(init, { duplex: 'half' })
  }
  return new Request(new URL(req.url ?? '/', originOf(req)), init)
}

/** Where the browser believes it is. */
function originOf(req: IncomingMessage): string {
  return `http://${req.headers.host ?? 'localhost'}`
}

/** Sends a fetch Response, no faster than it is read; a client that leaves cancels the body. */
export async function sendResponse(response: Response, res: ServerResponse): Promise<void> {
  writeHead(response, res)
  const closed = new Promise<undefined>((resolve) => {
    res.once('close', () => resolve(undefined))
  })
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const step = await Promise.race([reader?.read(), closed])
      if (res.destroyed) return
      if (!step || step.done) break
      if (!res.write(step.value)) await Promise.race([drained(res), closed])
    }
    res.end()
  } catch {
    // The body failed half-way: a cut tells the client so, a clean end would lie.
    res.destroy()
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

/** Status and headers, sent at once. */
export function writeHead(response: Response, res: ServerResponse): void {
  // A body that nobody reads must not be mistaken for the next request of the connection.
  if (res.req.method === 'POST' && !res.req.complete) res.shouldKeepAlive = false
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.flushHeaders()
}

/** Resolves when the socket takes more. */
export function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    res.once('drain', resolve)
  })
}
