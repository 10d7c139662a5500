import { AgentError } from '../base/agent-error.ts'

/** A connection that carries text frames in both directions, each one whole and in order. */
export interface DuplexConnection {
  /**
   * The frames that came, in batches: all that had come when the next one was asked for. Ends when the other side closed the
   * connection in order; throws an AgentError of kind `connection` when it broke. Iterated once.
   */
  readonly frames: AsyncIterable<readonly string[]>
  /** Sends one frame. @throws AgentError `network_error` when the connection is closed, or its peer takes nothing in any more */
  send(frame: string): void
  /** Characters that were sent and not taken in yet. Absent: not known. */
  readonly buffered?: number | undefined
  /** Closes the connection. What was not read is dropped. Idempotent. */
  close(): void
}

/** What one connection attempt is given. */
export interface DuplexConnect {
  /** Aborting closes the connection, also once it is open. */
  readonly signal: AbortSignal
}

/** Carries text frames over connections that both sides send on. It never retries and never reads what it carries. */
export interface DuplexTransport {
  /** Origin the connections go to, for limits per server. Absent: none that counts. */
  readonly server?: string | undefined
  /** Opens one connection. @throws AgentError of kind `connection` when there is none */
  connect(options: DuplexConnect): Promise<DuplexConnection>
}

/** Limits that a duplex transport keeps, so that no peer can fill the memory. */
export interface DuplexLimits {
  /** Longest single frame, in characters. @default 10_000_000 */
  readonly maxFrameLength?: number | undefined
  /** Frames that came and were not read yet, in characters; beyond it the connection is closed and can be resumed. @default 50_000_000 */
  readonly maxBufferedLength?: number | undefined
}

/** The connection is gone, or there never was one: another may work. */
export function connectionLost(
  message: string,
  details?: Readonly<Record<string, unknown>>,
  cause?: unknown,
): AgentError {
  return new AgentError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message, details, cause })
}

/** A frame is too long to be read. */
export function textFrameTooLarge(maximum: number): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'frame_too_large',
    severity: 'FATAL',
    message: `The agent sent a frame of more than ${maximum} characters. Raise maxFrameLength of the transport if such frames are expected.`,
    details: { maximum },
  })
}

/** More came than was read. */
export function bufferFull(maximum: number): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'response_too_large',
    severity: 'TRANSIENT',
    message: `More than ${maximum} characters came before they were read, so the connection was closed. It is resumed.`,
    details: { maximum },
  })
}
