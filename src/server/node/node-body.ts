import type { NodeRequest } from './node-http.ts'

/** The body of a Node request as fetch knows bodies, or what a body parser of the app has made of it. */
export function nodeBody(req: NodeRequest): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> {
  if (req.readableEnded && req.body !== undefined) {
    if (typeof req.body === 'string') return req.body
    // A copy, since Node's buffers share their memory.
    return req.body instanceof Uint8Array ? new Uint8Array(req.body) : JSON.stringify(req.body)
  }
  return bodyStream(req)
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
