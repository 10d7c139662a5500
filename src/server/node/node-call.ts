import type { IncomingCall } from '../http/incoming-call.ts'
import { bodyText, nodeBody } from './node-body.ts'
import type { NodeRequest, NodeResponse } from './node-http.ts'

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
    // Names that HTTP/2 adds are no headers.
    if (name.startsWith(':')) continue
    for (const item of typeof value === 'string' ? [value] : value) headers.append(name, item)
  }
  return headers
}

function protocolOf({ protocol, socket }: NodeRequest): string {
  return protocol ?? ('encrypted' in socket ? 'https' : 'http')
}
