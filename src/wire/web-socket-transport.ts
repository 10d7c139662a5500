import { onAbort } from '../base/on-abort.ts'
import { connectionLost, invalidTransport } from './duplex-errors.ts'
import type { DuplexConnection, DuplexLimits, DuplexTransport } from './duplex-transport.ts'
import type { WebSocketConnectionOptions, WebSocketLike } from './web-socket-connection.ts'
import { webSocketConnection } from './web-socket-connection.ts'

/** The constructor of a {@link WebSocketLike}. */
export type WebSocketConstructor = new (url: string) => WebSocketLike

export interface WebSocketTransportOptions extends DuplexLimits {
  /** Address that begins with `ws:` or `wss:`. A function is asked at each attempt, for addresses with a ticket. */
  readonly url: string | (() => string | Promise<string>)
  /** The constructor of the sockets; on Node 20 the one of the package `ws`. @default `globalThis.WebSocket` */
  readonly WebSocket?: WebSocketConstructor | undefined
  /** Characters on their way out that were not taken in; beyond it `send` fails. @default 50_000_000 */
  readonly maxSendBuffer?: number | undefined
}

/**
 * One frame for each text message of a WebSocket. Binary messages end the connection, as no protocol here has them.
 *
 * @example
 * ```ts
 * import { ArcpClient, webSocketTransport } from 'capstan/arcp'
 *
 * const transport = webSocketTransport({ url: 'wss://agent.example/arcp' })
 * console.log(new ArcpClient({ transport }).getState().session.phase)
 * ```
 */
export function webSocketTransport(options: WebSocketTransportOptions): DuplexTransport {
  const { url } = options
  const server = typeof url === 'string' ? originOf(url) : undefined

  return {
    server,
    async connect({ signal }) {
      const Socket = options.WebSocket ?? globalWebSocket()
      const address = typeof url === 'string' ? url : await url()
      if (signal.aborted) throw connectionLost('The connection was given up.')
      const socket = new Socket(address)
      return open(socket, signal, options)
    },
  }
}

function open(
  socket: WebSocketLike,
  signal: AbortSignal,
  options: Omit<WebSocketConnectionOptions, 'onClosed'>,
): Promise<DuplexConnection> {
  return new Promise((resolve, reject) => {
    const connection = webSocketConnection(socket, {
      ...options,
      onClosed(error) {
        release()
        reject(error ?? connectionLost('The agent closed the connection before it was open.'))
      },
    })
    const release = onAbort(signal, () => {
      connection.close()
      reject(connectionLost('The connection was given up.'))
    })
    socket.addEventListener('open', () => resolve(connection))
  })
}

function globalWebSocket(): WebSocketConstructor {
  const { WebSocket }: { readonly WebSocket?: WebSocketConstructor } = globalThis
  if (WebSocket !== undefined) return WebSocket
  throw invalidTransport(
    'This platform has no WebSocket: give webSocketTransport the one of the package `ws`, as its option WebSocket.',
  )
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}
