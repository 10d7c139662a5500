import type { Clock } from '../../base/ports/clock.ts'
import { createFrameQueue, type FrameQueue } from '../../wire/frame-queue.ts'
import { answerFrames } from '../frames/answer-frames.ts'
import type { DurableObjectContext, DurableWebSocket } from './durable-object.ts'

export interface DurableSocketsOptions {
  readonly context: DurableObjectContext
  readonly handler: (http: Request) => Promise<Response>
  readonly origins: readonly string[]
  readonly headers: readonly string[]
  readonly clock: Clock
}

/** The WebSockets of a Durable Object, which the platform keeps open while the object hibernates. */
export interface DurableSockets {
  /** Accepts the connection that a request asks for. Its request comes in the first message. */
  accept(http: Request): Response
  received(socket: DurableWebSocket, message: unknown): void
  closed(socket: DurableWebSocket): void
}

/** A global of workerd. */
declare const WebSocketPair: new () => { readonly 0: DurableWebSocket; readonly 1: DurableWebSocket }

const FIRST_FRAME_TIMEOUT_MS = 10_000
/** Close codes: in order, what cannot be read, and a server whose state is gone. Clients come back after the last. */
const [NORMAL, UNSUPPORTED, RESTART] = [1000, 1003, 1012]

export function createDurableSockets(options: DurableSocketsOptions): DurableSockets {
  const { context, handler, origins, headers, clock } = options
  const queues = new Map<DurableWebSocket, FrameQueue>()

  // What they were told is in the log: their clients ask this instance for the rest.
  for (const socket of context.getWebSockets()) socket.close(RESTART, 'The object has restarted.')

  const close = (socket: DurableWebSocket, code: number): void => {
    if (queues.delete(socket)) socket.close(code)
  }

  return {
    accept(http) {
      const { 0: client, 1: socket } = new WebSocketPair()
      context.acceptWebSocket(socket)
      // What is too long is refused by the platform, or by the handler.
      const queue = createFrameQueue({
        maxFrameLength: Infinity,
        maxBufferedLength: Infinity,
        onClosed: () => close(socket, NORMAL),
      })
      queues.set(socket, queue)
      void answerFrames({
        handler,
        caller: {
          frames: queue.frames,
          send: (frame) => socket.send(frame),
          close: () => queue.drop(),
          breakOff: () => close(socket, RESTART),
        },
        opening: { url: new URL(http.url), headers: http.headers },
        origins,
        headers,
        firstFrameTimeoutMs: FIRST_FRAME_TIMEOUT_MS,
        clock,
      })
      // A member of `ResponseInit` in workerd alone.
      return new Response(null, { status: 101, webSocket: client } as ResponseInit)
    },
    received(socket, message) {
      if (typeof message === 'string') queues.get(socket)?.push(message)
      else close(socket, UNSUPPORTED)
    },
    closed(socket) {
      const queue = queues.get(socket)
      queues.delete(socket)
      queue?.end()
    },
  }
}
