import type { Clock } from '../../base/ports/clock.ts'
import { systemClock } from '../../base/ports/clock.ts'
import { type WebSocketLike, webSocketConnection } from '../../wire/web-socket-transport.ts'
import { checkOrigins, checkOwnOrigin } from '../http/cors.ts'
import { answerFrames, type FrameCaller } from '../http/answer-frames.ts'
import { headersOf, urlOf, type NodeRequest } from './node-call.ts'

/** What is used of a connection that the package `ws` has accepted. */
export interface AcceptedWebSocket extends WebSocketLike {
  send(frame: string, sent?: (error?: Error | null) => void): void
  terminate(): void
}

/** What is used of a `WebSocketServer` of the package `ws`. */
export interface WebSocketAcceptor {
  handleUpgrade(
    req: NodeRequest,
    socket: NodeSocket,
    head: Uint8Array,
    accepted: (socket: AcceptedWebSocket) => void,
  ): void
}

/** What is used of the socket of a request that asks for another protocol. */
export interface NodeSocket {
  readonly destroyed: boolean
  destroy(): unknown
}

export interface NodeUpgradeListenerOptions {
  /**
   * What accepts connections: `new WebSocketServer({ noServer: true, maxPayload: 1_000_000 })` of the package `ws`. `maxPayload` is the
   * longest request in bytes that is read at all; the handler has its own limit.
   */
  readonly webSocketServer: WebSocketAcceptor
  /**
   * Where browsers believe the server is, such as `https://app.example`. Needed behind a proxy that ends TLS.
   *
   * @default from the `Host` header and the kind of the connection
   */
  readonly origin?: string | undefined
  /**
   * Other origins whose pages may connect, such as `https://app.example`: browsers let any page open a WebSocket, with the cookies of
   * its visitor. The `cors` of the handler does not count here.
   *
   * @default []
   */
  readonly origins?: readonly string[] | undefined
  /** Headers that a client may send in its first frame, beside those of CAP. @default [] */
  readonly headers?: readonly string[] | undefined
  /** A connection on which no request comes for so many milliseconds is answered by 408. @default 10_000 */
  readonly firstFrameTimeoutMs?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
}

/** Handles the event `upgrade` of a Node server. */
export type NodeUpgradeListener = (req: NodeRequest, socket: NodeSocket, head: Uint8Array) => void

/** Characters on their way to a client; beyond it the next packet waits until they are with its machine. */
const MOST_UNSENT = 65_536

/**
 * Serves a fetch handler over WebSockets, beside `toNodeListener`: the client is a `CapClient` with the transport `webSocket()`. One
 * connection carries one request, in its first frame, and the answer, one packet a frame. A client that leaves aborts the signal of the
 * request; a body that breaks off breaks the connection off. Pages of other origins are refused with 403.
 *
 * @throws AgentError `invalid_config` for `origins` that are not exact, and for an `origin` that is not an address
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createAgentHandler, toNodeListener, toNodeUpgradeListener } from 'capstan/server'
 * import { WebSocketServer } from 'ws'
 *
 * const handler = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }) })
 * const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 })
 * createServer(toNodeListener(handler)).on('upgrade', toNodeUpgradeListener(handler, { webSocketServer })).listen(3000)
 * ```
 */
export function toNodeUpgradeListener(
  handler: (http: Request) => Promise<Response>,
  options: NodeUpgradeListenerOptions,
): NodeUpgradeListener {
  const { webSocketServer, origins = [], headers = [] } = options
  const { firstFrameTimeoutMs = 10_000, clock = systemClock } = options
  checkOrigins('origins', origins)
  checkOwnOrigin(options.origin)
  const allowed = headers.map((name) => name.toLowerCase())
  return (req, socket, head) => {
    let url: URL
    try {
      url = urlOf(req, options.origin)
    } catch {
      socket.destroy()
      return
    }
    webSocketServer.handleUpgrade(req, socket, head, (accepted) => {
      void answerFrames({
        handler,
        caller: callerOf(accepted),
        opening: { url, headers: headersOf(req) },
        origins,
        headers: allowed,
        firstFrameTimeoutMs,
        clock,
      })
    })
  }
}

function callerOf(socket: AcceptedWebSocket): FrameCaller {
  // What is too long was refused before, or is by the handler.
  const { frames, send, close } = webSocketConnection(socket, { maxFrameLength: Infinity, maxBufferedLength: Infinity })
  return {
    frames,
    send(frame) {
      if (socket.bufferedAmount <= MOST_UNSENT) return send(frame)
      return new Promise((resolve) => socket.send(frame, () => resolve()))
    },
    close,
    breakOff: () => socket.terminate(),
  }
}
