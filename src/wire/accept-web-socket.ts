import { noop } from '../base/noop.ts'
import { connectionLost } from './duplex-errors.ts'
import type { DuplexConnection, DuplexLimits } from './duplex-transport.ts'
import { createFrameQueue } from './frame-queue.ts'
import type { WebSocketLike } from './web-socket-transport.ts'

export interface AcceptWebSocketOptions extends DuplexLimits {
  /** Characters on their way out that were not taken in; beyond it the connection is closed. @default 50_000_000 */
  readonly maxSendBuffer?: number | undefined
}

const OPEN = 1
const GOING_AWAY = 1001
const UNSUPPORTED_DATA = 1003
const TRY_AGAIN_LATER = 1013

/**
 * The server's end of a WebSocket that is open, such as one of the package `ws`: one frame for each text message. A binary message ends
 * the connection. However the client left, its frames end in order.
 *
 * @example
 * ```ts
 * import { acceptWebSocket, createArcpRuntime } from 'capstan/arcp/runtime'
 * import { WebSocketServer } from 'ws'
 *
 * const runtime = createArcpRuntime({ tools: { greet: async () => 'Hello' } })
 * new WebSocketServer({ port: 7878 }).on('connection', (socket) => runtime.accept(acceptWebSocket(socket)))
 * ```
 */
export function acceptWebSocket(socket: WebSocketLike, options: AcceptWebSocketOptions = {}): DuplexConnection {
  const { maxSendBuffer = 50_000_000, ...limits } = options
  let isClosed = false
  const close = (code: number): void => {
    if (isClosed) return
    isClosed = true
    socket.close(code)
  }
  const queue = createFrameQueue({ ...limits, onClosed: () => close(GOING_AWAY) })
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') return queue.push(data)
    queue.end()
    close(UNSUPPORTED_DATA)
  })
  // A socket that fails closes as well.
  socket.addEventListener('error', noop)
  socket.addEventListener('close', () => {
    isClosed = true
    queue.end()
  })
  return {
    frames: queue.frames,
    get buffered() {
      return socket.bufferedAmount
    },
    send(frame) {
      if (isClosed || socket.readyState !== OPEN) throw connectionLost('The connection is closed.')
      if (socket.bufferedAmount > maxSendBuffer) {
        queue.end()
        close(TRY_AGAIN_LATER)
        throw connectionLost('The client takes nothing in any more.', { waiting: socket.bufferedAmount })
      }
      socket.send(frame)
    },
    close() {
      queue.drop()
      close(GOING_AWAY)
    },
  }
}
