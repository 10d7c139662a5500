import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import { connectionLost } from './duplex-errors.ts'
import type { DuplexConnection, DuplexLimits } from './duplex-transport.ts'
import { createFrameQueue } from './frame-queue.ts'

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
  /** Called once when the connection has ended, with what broke it; undefined when it was closed in order. Absent: not told. */
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
  // The close that follows says more, where anything can be said: a page is told nothing about a connection that failed.
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
