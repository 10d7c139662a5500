import type { RetryPolicy } from '../../../base/backoff.ts'
import type { Environment } from '../../../base/ports/environment.ts'
import type { ArcpAuth } from '../auth.ts'
import type { ArcpJobBounds } from '../request.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpCapabilities } from '../schema/session.ts'
import type { AnswerLimits } from '../../../session/answer-limits.ts'
import type { SessionObserver } from '../../../session/agent-client.ts'
import type { DuplexTransport } from '../../../wire/duplex-transport.ts'

/** Who a client says it is. */
export interface ArcpClientIdentity {
  readonly kind: string
  readonly version: string
  /** The user it speaks for. Absent: none is named. */
  readonly principal?: string | undefined
}

export interface ArcpClientOptions {
  /** Version of the protocol that the runtime speaks. It is never found out by trying: a runtime of the other one says nothing. @default '1.0' */
  readonly dialect?: '1.0' | '1.1' | undefined
  /** What carries the frames: `webSocketTransport`, `memoryTransport`, `stdioTransport`, or one of your own. */
  readonly transport: DuplexTransport
  /** How the client proves who it is. @default `{ scheme: 'none' }` */
  readonly auth?: ArcpAuth | undefined
  /** Who the client says it is. @default `{ kind: 'capstan', version: '1' }` */
  readonly client?: ArcpClientIdentity | undefined
  /** What is asked of the runtime, in dialect 1.1 by its `features`; some refuse a session that asks for what they have not. @default streams, human input, artifacts, subscriptions and interrupts */
  readonly capabilities?: ArcpCapabilities | undefined
  /** Longest silence of the connection, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Interval of pings in milliseconds, by which a silent connection is known to be alive. @default 20_000 */
  readonly pingMs?: number | undefined
  /** Longest wait for a session to be accepted, in milliseconds. @default 15_000 */
  readonly handshakeMs?: number | undefined
  /** Longest time of a call, such as the fetch of an artifact, in milliseconds. @default 60_000 */
  readonly callTimeoutMs?: number | undefined
  /** How long a connection that nobody uses stays open, in milliseconds. @default 10_000 */
  readonly idleMs?: number | undefined
  /** Consecutive reconnects without anything new before all runs fail. @default 8 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** How large the answer of one run may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and batch of the connection, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}

/** What a call may be given. */
export interface ArcpCallOptions {
  /** Aborting ends the call. Absent: nothing aborts it. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a tool that is invoked. */
export interface ArcpInvokeOptions extends ArcpCallOptions {
  /** What the user meant, once, over all sessions. @default a new one */
  readonly idempotencyKey?: string | undefined
  /** @default 'normal' */
  readonly priority?: 'low' | 'normal' | 'high' | 'critical' | undefined
  /** Trace that the job belongs to; 32 hexadecimal digits in dialect 1.1. Absent: none. */
  readonly traceId?: string | undefined
  /** What the job may do, cost and take, in dialect 1.1. Absent: what the runtime allows. */
  readonly bounds?: ArcpJobBounds | undefined
  /** Called with each message of the job, once, in order. Default: no callback. */
  readonly onMessage?: ((message: ArcpMessage) => void) | undefined
}

/** Options of a subscription. */
export interface ArcpSubscribeOptions {
  /** Begin after the message with this id; the empty string for the whole history. Absent: only new messages. */
  readonly after?: string | undefined
  /** Called with each message, once, in order; over connections too. */
  onMessage(message: ArcpMessage): void
  /** Called when the history is complete. Default: no callback. */
  readonly onBackfilled?: (() => void) | undefined
  /** Called when it ended otherwise than by `close`, with the reason. Default: no callback. */
  readonly onClosed?: ((reason: string) => void) | undefined
}

/** Options of an artifact that is stored. */
export interface ArcpPutOptions extends ArcpCallOptions {
  readonly mediaType: string
  /** How long the runtime is asked to keep it, in seconds. Absent: the runtime decides. */
  readonly ttlSeconds?: number | undefined
}
