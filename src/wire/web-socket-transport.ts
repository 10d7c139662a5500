import { onAbort } from '../base/on-abort.ts'
import {
  connectionLost,
  invalidTransport,
  type DuplexConnection,
  type DuplexLimits,
  type DuplexTransport,
} from './duplex-transport.ts'
import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import { createFrameQueue } from './frame-queue.ts'

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

/** What is used of a WebSocket: that of browsers and of Node 22, and that of the package `ws`. */
export interface WebSocketLike {
  readonly readyState: number
  readonly bufferedAmount: number
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  send(frame: string): void
  close(code?: number, reason?: string): void
}

export interface WebSocketConnectionOptions extends DuplexLimits {
  /** Characters on their way out that were not taken in; beyond it `send` fails. @default 50_000_000 */
  readonly maxSendBuffer?: number | undefined
  /** Called once when the connection has ended, with what broke it; undefined after a clean close. Default: no callback. */
  readonly onClosed?: ((error: AgentError | undefined) => void) | undefined
}

const OPEN = 1

const NORMAL = 1000

/** Codes of a close that is in order: also the one of a peer that gives none (1005), and the one of a server that goes away. */
const IN_ORDER: ReadonlySet<number> = new Set([NORMAL, 1001, 1005])

/** Codes of a close after which another attempt meets the same end. Those of 4000 and more are the HTTP status behind 4. */
const FINAL: Readonly<Record<number, Pick<AgentError, 'kind' | 'code'>>> = {
  1002: { kind: 'protocol', code: 'invalid_request' },
  1003: { kind: 'protocol', code: 'invalid_request' },
  1007: { kind: 'protocol', code: 'invalid_request' },
  1008: { kind: 'runtime', code: 'forbidden' },
  1009: { kind: 'protocol', code: 'invalid_request' },
  4401: { kind: 'runtime', code: 'unauthorized' },
  4403: { kind: 'runtime', code: 'forbidden' },
}

/** The frames of a WebSocket, of either end. Binary messages end the connection, as no protocol here has them. */
export function webSocketConnection(
  socket: WebSocketLike,
  { maxSendBuffer = 50_000_000, onClosed = noop, ...limits }: WebSocketConnectionOptions = {},
): DuplexConnection {
  let isClosed = false
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    socket.close(NORMAL)
  }
  const queue = createFrameQueue({ ...limits, onClosed: close })
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') return queue.push(data)
    queue.fail(binaryFrame())
    close()
  })
  // The `close` event that follows has the reason, if any: browsers hide why a connection failed.
  socket.addEventListener('error', noop)
  socket.addEventListener('close', ({ code, reason }) => {
    isClosed = true
    const error = IN_ORDER.has(code) ? undefined : closeError(code, reason)
    if (error === undefined) queue.end()
    else queue.fail(error)
    onClosed(error)
  })
  return {
    frames: queue.frames,
    get buffered() {
      return socket.bufferedAmount
    },
    send(frame) {
      if (isClosed || socket.readyState !== OPEN) throw connectionLost('The connection is closed.')
      if (socket.bufferedAmount > maxSendBuffer) {
        const error = connectionLost('The agent takes nothing in any more.', { waiting: socket.bufferedAmount })
        queue.fail(error)
        close()
        throw error
      }
      socket.send(frame)
    },
    close() {
      queue.drop()
      close()
    },
  }
}

function closeError(code: number, reason: string): AgentError {
  const details = { closeCode: code, closeReason: reason }
  const final = FINAL[code]
  const why = reason === '' ? '' : `, and says: ${reason.slice(0, 200)}`
  if (final === undefined) return connectionLost(`The connection to the agent broke (code ${code})${why}.`, details)
  return new AgentError({
    ...final,
    severity: 'FATAL',
    message: `The agent closed the connection for good (code ${code})${why}.`,
    details,
  })
}

function binaryFrame(): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_packet',
    severity: 'FATAL',
    message: 'The agent sent a binary message. Its messages have to be text.',
  })
}
