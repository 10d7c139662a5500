import { AgentError } from '../base/agent-error.ts'

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

/** A transport was made with an option that cannot work. */
export function invalidTransport(message: string): AgentError {
  return new AgentError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}
