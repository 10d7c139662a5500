import { createBodyBytes } from '../http/read-body.ts'
import type { NodeRequest } from './node-http.ts'

/** The body of a Node request as fetch knows bodies, or what a body parser of the app has made of it. */
export function nodeBody(req: NodeRequest): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> {
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
