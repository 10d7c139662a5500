import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AgentProxyOptions } from '../../src/server/proxy/agent-proxy.ts'
import { createAgentProxy } from '../../src/server/proxy/agent-proxy.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { serve } from './peer.ts'

/** What the pages must never see. It looks like a code of CAP on purpose. */
export const SECRET = 'sk_live_canary_5f3a9c'

export interface ServedProxy {
  readonly origin: string
  readonly url: string
  readonly errors: unknown[]
}

/** A proxy behind a real server: whoever says `x-user` is that user. */
export async function serveProxy(upstream: string, options: Partial<AgentProxyOptions> = {}): Promise<ServedProxy> {
  const errors: unknown[] = []
  const proxy = createAgentProxy({
    upstream,
    headers: { authorization: `Bearer ${SECRET}` },
    authorize: (http) => http.headers.get('x-user') ?? 'ann',
    clock: createManualClock(),
    onError: (error) => errors.push(error),
    ...options,
  })
  const origin = await serve(toNodeListener(proxy))
  return { origin, url: `${origin}/api/assist`, errors }
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawUpstream {
  readonly origin: string
  readonly seen: SeenRequest[]
  /** Requests that are neither answered in full nor let go. */
  readonly open: number
}

/** An upstream that is whatever the test writes, and notes what it was asked. */
export async function serveUpstream(listener: RequestListener): Promise<RawUpstream> {
  const seen: SeenRequest[] = []
  let open = 0
  const server = createServer((req, res) => {
    open += 1
    res.once('close', () => (open -= 1))
    let body = ''
    req.on('data', (bytes: Buffer) => (body += bytes.toString()))
    req.on('end', () => {
      seen.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers, body })
      listener(req, res)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server always has an AddressInfo once it listens.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    seen,
    get open() {
      return open
    },
  }
}

export interface ByteUpstream {
  readonly origin: string
  /** Requests that were received. */
  readonly requests: number
  /** Connections that are open, of those that had a request. */
  readonly open: number
}

/** An upstream that is not bound by HTTP: the test writes the bytes that follow a request. */
export async function serveBytes(respond: (socket: Socket) => void): Promise<ByteUpstream> {
  const open = new Set<Socket>()
  let requests = 0
  const server = createTcpServer((socket) => {
    // The proxy may let go of a connection while something is written to it.
    socket.on('error', () => undefined)
    let received = ''
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const end = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (end === -1 || received.length < end + 4 + length) return
      received = ''
      requests += 1
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      respond(socket)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  // As above.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    get requests() {
      return requests
    },
    get open() {
      return open.size
    },
  }
}

/** An address where nobody listens. */
export async function nowhere(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // as above
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return `http://127.0.0.1:${port}`
}
