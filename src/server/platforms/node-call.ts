import { type IncomingCall, createBodyBytes } from '../http/incoming-call.ts'

/**
 * What Node's objects say of a request. The Request itself is made when it is asked for, since it costs more than a short answer.
 *
 * @throws TypeError for an address that is none
 */
export function nodeCall(req: NodeRequest, res: NodeResponse, origin: string | undefined): IncomingCall {
  const left = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) left.abort(new Error('The client closed the connection.'))
  })
  const url = urlOf(req, origin)
  const method = req.method ?? 'GET'
  // Kept until the connection closes: the signal of a Request that was collected never aborts.
  let made: Request | undefined
  return {
    method,
    url,
    header(name) {
      const value = req.headers[name]
      return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
    },
    headers: () => headersOf(req),
    text: (maxBytes) => bodyText(req, maxBytes),
    signal: left.signal,
    leave: (reason) => left.abort(reason),
    request() {
      if (made !== undefined) return made
      const init: RequestInit = { method, headers: headersOf(req), signal: left.signal }
      if (method !== 'GET' && method !== 'HEAD') {
        init.body = nodeBody(req)
        // The DOM types do not know `duplex`, which fetch demands for a streamed body.
        Object.assign(init, { duplex: 'half' })
      }
      made = new Request(url, init)
      return made
    },
  }
}

/** Where a request goes. @throws TypeError for an address that is none */
export function urlOf(req: NodeRequest, origin: string | undefined): URL {
  // A path of two slashes would name another host.
  const path = (req.originalUrl ?? req.url ?? '/').replace(/^\/*/, '/')
  return new URL(path, origin ?? `${protocolOf(req)}://${String(req.headers['host'] ?? 'localhost')}`)
}

/** Its headers as fetch knows them. */
export function headersOf(req: NodeRequest): Headers {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(req.headers)) {
    // Names that HTTP/2 adds are not headers.
    if (name.startsWith(':')) continue
    for (const item of typeof value === 'string' ? [value] : value) headers.append(name, item)
  }
  return headers
}

function protocolOf({ protocol, socket }: NodeRequest): string {
  return protocol ?? ('encrypted' in socket ? 'https' : 'http')
}

/** The body of a Node request as fetch knows bodies, or what a body parser of the app has made of it. */
function nodeBody(req: NodeRequest): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> {
  return parsedBody(req) ?? bodyStream(req)
}

/** The text of a body, read without a stream in between. @throws HttpRefusal 413 or 400 */
export function bodyText(req: NodeRequest, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = createBodyBytes(maxBytes)
    let open = true
    const settle = (act: () => void): void => {
      if (!open) return
      try {
        act()
      } catch (error) {
        open = false
        // What still comes is let go by, so that the refusal can be sent.
        req.resume()
        reject(error instanceof Error ? error : new Error('The body could not be read.'))
      }
    }
    const end = (): void => {
      settle(() => {
        resolve(body.text())
        open = false
      })
    }
    const parsed = parsedBody(req)
    if (parsed !== undefined) {
      settle(() => body.add(typeof parsed === 'string' ? new TextEncoder().encode(parsed) : parsed))
      end()
      return
    }
    req.on('data', (bytes) => settle(() => body.add(bytes)))
    req.on('end', end)
    req.on('error', (error) => {
      settle(() => {
        throw error
      })
    })
  })
}

/** What a body parser has made of the body. */
function parsedBody(req: NodeRequest): string | Uint8Array<ArrayBuffer> | undefined {
  if (!req.readableEnded || req.body === undefined) return undefined
  if (typeof req.body === 'string') return req.body
  // A copy, since Node's buffers share their memory.
  return req.body instanceof Uint8Array ? new Uint8Array(req.body) : JSON.stringify(req.body)
}

/** The bytes as they come. Node's own conversion destroys the socket on cancel, and a refusal could not be sent. */
export function bodyStream(req: NodeRequest): ReadableStream<Uint8Array> {
  let open = true
  return new ReadableStream<Uint8Array>({
    start(controller) {
      req.on('data', (bytes) => {
        if (!open) return
        controller.enqueue(bytes)
        if ((controller.desiredSize ?? 0) <= 0) req.pause()
      })
      req.on('end', () => {
        if (open) controller.close()
        open = false
      })
      req.on('error', (error) => {
        if (open) controller.error(error)
        open = false
      })
    },
    pull() {
      req.resume()
    },
    cancel() {
      open = false
      req.resume()
    },
  })
}

// The parts of Node's http objects that are used here, so that the entry point needs none of Node's types.

/** A request as Node's `http` gives it, or Express. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly complete: boolean
  readonly readableEnded: boolean
  readonly socket: object
  /** What Express leaves of an address below a mount point is `url`; this is the whole. */
  readonly originalUrl?: string | undefined
  /** `http` or `https`, as Express sees it through the proxies it trusts. */
  readonly protocol?: string | undefined
  /** What a body parser made of the body. */
  readonly body?: unknown
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** A response as Node's `http` gives it, or Express. */
export interface NodeResponse {
  readonly writableFinished: boolean
  readonly destroyed: boolean
  shouldKeepAlive: boolean
  once(event: 'close', listener: () => void): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  flushHeaders(): void
  write(bytes: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
}
