import { assertNumbers } from '../../../base/assert-options.ts'
import { attempt } from '../../../base/attempt.ts'
import { type RetryPolicy, backoff } from '../../../base/backoff.ts'
import { noop } from '../../../base/noop.ts'
import { type Environment, systemEnvironment } from '../../../base/ports/environment.ts'
import { arcpProtocol } from '../adapter.ts'
import { createArcpError } from '../errors.ts'
import { type Exchange, type ExchangeOptions, createExchange } from '../exchange.ts'
import type { ArcpTransport } from '../handshake.ts'
import { loadOnDemand } from '../load-on-demand.ts'
import { readHandle } from '../read/handle.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpRequest, ArcpJobBounds } from '../send-command.ts'
import { type MessageWriter, createMessageWriter } from '../write-message.ts'
import type { AgentProtocol } from '../../../seam/protocol.ts'
import { type AgentClient, createRetryBudget, type SessionObserver } from '../../../session/agent-client.ts'
import type { Connection } from '../../../session/connection.ts'
import type { ResumePoint } from '../../../session/resume-point.ts'
import type { DuplexTransport } from '../../../wire/duplex-transport.ts'
import { type SharedSession, createSharedSession } from '../../../session/shared-session.ts'
import type { RuntimeCall } from './call-runtime.ts'
import type { ArcpAuth } from '../auth.ts'
import type { ArcpCapabilities } from '../schema/session.ts'
import type { AnswerLimits } from '../../../session/stream-ledger.ts'

/** What an `ArcpClient` is made of: the connection that its jobs share, and what was read on it. */
export interface ArcpConnection {
  readonly exchange: Exchange
  readonly writer: MessageWriter
  readonly shared: SharedSession<ArcpMessage>
  readonly runs: Omit<AgentClient<ArcpRequest, ArcpMessage>, 'createRequest'>
  /** Closes the connection; what is on its way fails. Commands that are repeated do not open it again, new ones do. */
  close(): void
  /** Somebody uses the connection again. */
  wake(): void
  /** Sends a message and gives its answer; the connection is kept open meanwhile. @throws ArcpError */
  call<Answer>(call: RuntimeCall<Answer>, options?: ArcpCallOptions): Promise<Answer>
}

/** Receivers of events. */
export interface ArcpConnectionHooks extends Pick<ExchangeOptions, 'onChange' | 'onMessage'> {
  onConnection(connection: Connection): void
}

const CAPABILITIES = {
  streaming: true,
  human_input: true,
  artifacts: true,
  subscriptions: true,
  interrupt: true,
  binary_encoding: ['base64'],
}

const UNLIMITED = { streams: Infinity, parts: Infinity, warnings: Infinity, bytes: Infinity }

/** @throws ArcpError `invalid_config` when an option cannot work */
export function createArcpConnection(options: ArcpClientOptions, hooks: ArcpConnectionHooks): ArcpConnection {
  const { transport, auth = { scheme: 'none' }, timeoutMs = 60_000, maxRetries = 8, idleMs = 10_000 } = options
  const { pingMs = 20_000, handshakeMs = 15_000, callTimeoutMs = 60_000, limits, observer } = options
  assertNumbers(createArcpError, { timeoutMs, pingMs, handshakeMs, callTimeoutMs }, { maxRetries, idleMs }, limits)
  const environment: Environment = { ...systemEnvironment, ...options.environment }
  const { clock, uuid } = environment
  const date = (): number => clock.date()
  const retry: RetryPolicy = options.retry ?? backoff({ maxAttempts: maxRetries })
  const writer = createMessageWriter({ date, uuid })
  const exchange = createExchange({ date, onChange: hooks.onChange, onMessage: hooks.onMessage })
  const protocol = arcpProtocol({
    transport: options.dialect === '1.1' ? dialectTransport(transport, environment) : transport,
    auth,
    client: { kind: 'capstan', version: '1', ...options.client },
    capabilities: { ...(options.capabilities ?? CAPABILITIES) },
    exchange,
    writer,
    environment,
    pingMs,
    handshakeMs,
  })
  const settings = { retry, timeoutMs, environment, budget: createRetryBudget(), observer }
  const client: AgentClient<unknown, ArcpMessage> = {
    ...settings,
    // Sockets do not count among the connections that a browser shares out between requests.
    environment: { ...environment, slots: undefined },
    protocol,
    limits: UNLIMITED,
    createRequest: () => undefined,
  }
  const shared = createSharedSession<unknown, ArcpMessage>({
    client,
    request: undefined,
    requestId: 'arcp',
    idleMs,
    deal: exchange.take,
    prepare({ requestId, request, resumePoint }) {
      assertDelivered(resumePoint)
      const { handle } = resumePoint
      // The request of a run is what the client made.
      const { tool } = request as ArcpRequest
      return exchange.prepare(requestId, tool, handle === undefined ? undefined : readHandle(handle), writer.id)
    },
    handleOf: exchange.handleOf,
    onLeft: exchange.forget,
    onConnection(connection) {
      if (connection.phase === 'failed') exchange.link.fail(connection.error)
      if (connection.phase === 'paused') exchange.note({ type: 'session-moved', input: 'left' })
      hooks.onConnection(connection)
    },
    onIdle: sayGoodbye,
  })

  let isClosed = false

  /** A session that nobody uses is closed in order, unless jobs continue in it that somebody may want to resume. */
  function sayGoodbye(): void {
    const { active } = exchange.link
    const isBusy = [...exchange.state.jobs.values()].some(({ endedAt }) => endedAt === undefined)
    if (active === undefined || isBusy) return
    exchange.note({ type: 'session-moved', input: 'session.close' })
    attempt(noop, () => active.send(writer.write('session.close', { reason: 'idle', dispose_jobs: 'detach' })))
  }

  /** Keeps the connection open while something is on its way. */
  async function holding<Value>(work: () => Promise<Value>): Promise<Value> {
    const release = shared.hold()
    try {
      return await work()
    } finally {
      release()
    }
  }

  const runProtocol: AgentProtocol<ArcpRequest, ArcpMessage> = {
    ...protocol,
    async act(command, given) {
      if (isClosed) throw createArcpError(CLOSED)
      return holding(async () => (await protocol.act?.(command, given)) ?? { result: 'unsupported' })
    },
  }

  function wake(): void {
    isClosed = false
  }

  return {
    exchange,
    writer,
    shared,
    runs: {
      ...settings,
      limits,
      protocol: runProtocol,
      openRun(run) {
        wake()
        return shared.open(run)
      },
    },
    wake,
    close() {
      isClosed = true
      shared.close()
      exchange.link.fail(createArcpError(CLOSED))
    },
    call(call, { signal } = {}) {
      wake()
      return holding(async () => {
        // Loaded on demand: many pages call nothing.
        const { callRuntime } = await loadOnDemand(() => import('./call-runtime.ts'))
        return callRuntime({ client, link: exchange.link, timeoutMs: callTimeoutMs, signal }, call)
      })
    },
  }
}

/** A transport that translates from another version of the protocol. Loaded on demand: most runtimes speak one. */
function dialectTransport(transport: DuplexTransport, environment: Environment): ArcpTransport {
  let gateway: ArcpTransport | undefined
  return {
    ...transport,
    async connect(given) {
      gateway ??= (await loadOnDemand(() => import('../dialect-1-1/gateway.ts'))).createGateway(transport, environment)
      return gateway.connect(given)
    },
  }
}

/** A run of another page that remembers nothing may have been begun: invoking the tool again could do it twice. */
function assertDelivered({ handle, restored, attempts }: ResumePoint): void {
  if (handle === undefined && restored === true && attempts > 0) throw createArcpError(DELIVERY_UNKNOWN)
}

const DELIVERY_UNKNOWN = {
  kind: 'connection',
  code: 'delivery_unknown',
  severity: 'FATAL',
  message:
    'The tool may have been invoked by a page that was closed. Whether to invoke it again is for the user to say.',
} as const

const CLOSED = {
  kind: 'connection',
  code: 'network_error',
  severity: 'FATAL',
  message: 'The client was closed before the agent answered.',
} as const

/** Who a client says it is. */
interface ArcpClientIdentity {
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
