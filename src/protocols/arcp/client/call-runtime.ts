import { onAbort } from '../../../base/on-abort.ts'
import { delay } from '../../../base/ports/clock.ts'
import { createArcpError, toArcpError, toProtocolError } from '../errors.ts'
import type { ArcpLink } from '../link.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpOutgoing } from '../write-message.ts'
import type { AgentClient } from '../../../session/agent-client.ts'

export interface RuntimeCall<Answer> {
  /** Sent at each attempt under the same id, so that the runtime does it once. */
  readonly message: ArcpOutgoing
  /** Sent behind it, where the runtime does not answer the message itself. Absent: nothing. */
  readonly behind?: ArcpOutgoing | undefined
  /** The answer that a message is; undefined for any other. */
  match(message: ArcpMessage): Answer | undefined
}

/** What calls go through. */
export interface CallOptions {
  readonly client: AgentClient
  readonly link: ArcpLink
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a message and gives its answer, over as many connections as it takes.
 * @throws ArcpError what the runtime refused it with, or `timeout` and `network_error` when nobody knows what became of it
 */
export async function callRuntime<Answer>(
  { client, link, timeoutMs, signal }: CallOptions,
  { message, behind, match }: RuntimeCall<Answer>,
): Promise<Answer> {
  const { clock, random } = client.environment
  const own = new AbortController()
  let isLate = false
  const release = signal && onAbort(signal, () => own.abort())
  const cancel = clock.after(timeoutMs, () => {
    isLate = true
    own.abort()
  })
  const answerOf = (reply: ArcpMessage): Answer | undefined => {
    throwRefusal(reply, message.id)
    return match(reply)
  }
  try {
    for (let failures = 1; ; failures++) {
      try {
        const active = await link.ready(own.signal)
        const messages = behind === undefined ? [message] : [message, behind]
        return await link.ask(active, messages, answerOf, own.signal)
      } catch (cause) {
        const error = toArcpError(cause)
        const isFinal = error.kind !== 'connection' || !error.retryable || failures > client.retry.maxAttempts
        if (isLate) throw createArcpError({ ...TIMED_OUT, cause: error })
        if (isFinal || own.signal.aborted) throw error
        await delay(clock, client.retry.delayMs(failures, error, random()), own.signal)
      }
    }
  } finally {
    cancel()
    release?.()
  }
}

/** Runtimes refuse with a `nack` or, in F#, with the error of a tool. */
function throwRefusal(reply: ArcpMessage, id: string): void {
  if (reply.type === 'nack' && (reply.payload.ack_for ?? reply.correlation_id) === id)
    throw toProtocolError(reply.payload)
  if (reply.type === 'tool.error' && reply.correlation_id === id) throw toProtocolError(reply.payload)
}

const TIMED_OUT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The agent did not answer in time.',
} as const
