import { assertNumbers } from '../../../base/assert-options.ts'
import { type Environment, systemEnvironment } from '../../../base/ports/environment.ts'
import { type Credential, createCredential, resolveHeaders } from '../../../wire/credential.ts'
import { type CapEndpointOptions, resolveUrls, type OlderServerOptions } from '../endpoint.ts'
import { createCapError, toCapError, withUrl } from '../errors.ts'
import { type CapMode, capProtocol } from '../adapter.ts'
import type { AnyServiceRequest } from '../any-request.ts'
import { prepareRequest } from '../assert-request.ts'
import { loadRareRequests } from '../load-on-demand.ts'
import type { ServiceRequestInput } from '../schema/request.ts'
import type { HealthCheckResponse, ServiceResponse } from '../schema/response.ts'
import type { CapPacket } from '../read/usual-packet.ts'
import type { AgentProtocol } from '../../../seam/protocol.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import { type AgentClient, createRetryBudget, type SessionObserver } from '../../../session/agent-client.ts'
import type { AnswerLimits } from '../../../session/stream-ledger.ts'
import { type RetryPolicy, backoff } from '../../../base/backoff.ts'
import { type Fetch, fetchTransport } from '../../../wire/fetch-transport.ts'
import type { Transport } from '../../../wire/transport.ts'
import { type CapContextSource, createServiceRequest } from './cap-request.ts'
import { type RunLog, iterateRun } from '../../../session/iterate-run.ts'

export interface CapClientOptions extends CapEndpointOptions, OlderServerOptions, RunLog {
  /** Longest silence of a connection, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /**
   * Another fetch than the platform's. Not used by a `transport` of your own.
   *
   * @default the global `fetch`, looked up at each call
   */
  readonly fetch?: Fetch | undefined
  /** Another way to carry requests than fetch. @default `fetchTransport({ fetch, maxFrameBytes })` */
  readonly transport?: Transport | undefined
  /** Longest single event, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
  /**
   * How large one answer may become: streams, parts, warnings, bytes. What is left out has its default.
   *
   * @default the defaults of `AnswerLimits`
   */
  readonly limits?: AnswerLimits | undefined
  /**
   * What is done with data that breaks the protocol: `strict` fails the run, `tolerant` leaves it out.
   *
   * @default 'strict'
   */
  readonly mode?: CapMode | undefined
  /**
   * Who is asking: user, agent, permissions, capabilities. Fixed, or asked for at every message.
   *
   * @default an anonymous user without permissions
   */
  readonly context?: CapContextSource | undefined
  /** Notified of every transition and packet, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}

const NOT_A_PROP =
  "A CapClient cannot be passed from a server component to a client component. Create it in a file that begins with 'use client', beside <AgentProvider client={client}>, and render that component from here."

/**
 * A client of one CAP agent (RFC 004 section 3.1). Resumes dropped connections automatically; holds no conversation, so
 * one client serves a whole app.
 *
 * @example
 * ```ts
 * import { CapClient } from 'capstan'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example', apiKey: async () => 'a key of this user' })
 * for await (const text of client.chat('Why do rivers meander?')) console.log(text)
 * ```
 */
export class CapClient implements AgentClient<ServiceRequestInput, CapPacket> {
  readonly protocol: AgentProtocol<ServiceRequestInput, CapPacket>
  readonly retry: RetryPolicy
  readonly timeoutMs: number
  readonly environment: Environment
  readonly budget = createRetryBudget()
  readonly limits: AnswerLimits | undefined
  readonly observer: SessionObserver | undefined
  readonly #options: CapClientOptions
  readonly #transport: Transport
  readonly #credential: Credential

  /** @throws CapProtocolError `invalid_config` when an option cannot work */
  constructor(options: CapClientOptions) {
    const { timeoutMs = 60_000, maxRetries = 3 } = options
    assertNumbers(createCapError, { timeoutMs }, { maxRetries }, options.limits)
    this.#options = options
    this.#transport =
      options.transport ?? fetchTransport({ fetch: options.fetch, maxFrameBytes: options.maxFrameBytes })
    this.#credential = createCredential(options.apiKey)
    this.protocol = capProtocol({ ...options, transport: this.#transport, credential: this.#credential })
    this.retry = options.retry ?? backoff({ maxAttempts: maxRetries })
    this.timeoutMs = timeoutMs
    this.limits = options.limits
    this.observer = options.observer
    this.environment = { ...systemEnvironment, ...options.environment }
  }

  /**
   * The strict interface: a full ServiceRequest in, of today or in an older documented form, validated packets out,
   * each once and in order, over as many connections as it takes. The request is copied here: every attempt sends it as it is now, under its own id.
   * Iterating throws CapConnectionError when attempts are exhausted, CapProtocolError on data that breaks the
   * protocol, CapRuntimeError on an HTTP refusal or a FATAL or exhausted TRANSIENT error; aborting just ends it.
   */
  assist(
    request: AnyServiceRequest,
    options: {
      /** Aborting ends the run. Absent: nothing aborts it. */
      readonly signal?: AbortSignal
    } = {},
  ): AssistStream {
    return new AssistStream(this, prepareRequest(request), options.signal, this.#options)
  }

  /**
   * The convenient interface: a string in, text deltas out. A missing `conversationId` is made here and can be
   * read from the stream at once. Events and warnings are left out; FATAL and exhausted TRANSIENT errors throw. When the
   * agent begins its answer again, the text continues where the new answer repeats what was given; else code `restarted` is thrown.
   */
  chat(
    message: string,
    options: {
      /** Which conversation the message belongs to: a UUID. @default a new one */
      readonly conversationId?: string
      /** Aborting ends the run. Absent: nothing aborts it. */
      readonly signal?: AbortSignal
    } = {},
  ): ChatStream {
    const { conversationId = this.environment.uuid(), signal } = options
    const requestId = this.environment.uuid()
    return new ChatStream(this, { text: message, conversationId, requestId }, signal, this.#options)
  }

  /** GET /health. @throws CapError like `assist`, without retries */
  async health(
    options: {
      /** Aborting ends the request. Absent: nothing aborts it. */
      readonly signal?: AbortSignal
    } = {},
  ): Promise<HealthCheckResponse> {
    const { health: url } = resolveUrls(this.#options)
    try {
      // Many pages never ask.
      const { requestHealth } = await loadRareRequests()
      const headers = await resolveHeaders(this.#options.headers, await this.#credential.get())
      return await requestHealth(this.#transport, url, headers, options.signal)
    } catch (error) {
      throw withUrl(toCapError(error), url)
    }
  }

  /**
   * A client holds functions and a key, so it cannot go from a server component to the page as a prop. React asks for this
   * on the way, and its own message does not say what to do.
   * @throws CapProtocolError `invalid_config` where there is no page
   */
  toJSON(): object {
    if (typeof location === 'object') return { name: 'CapClient' }
    throw createCapError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message: NOT_A_PROP })
  }

  createRequest(input: ChatInput): Promise<ServiceRequestInput> {
    return createServiceRequest(input, this.#options.context, this.environment)
  }
}

/** The text of one answer, delta by delta (RFC 004 section 3.1). Nothing is sent before iteration begins; iterate once. */
export class ChatStream implements AsyncIterable<string> {
  /** Pass it to the next `chat()` to continue with the conversation. */
  readonly conversationId: string
  readonly requestId: string
  readonly #deltas: AsyncIterator<string>

  constructor(
    client: AgentClient<ServiceRequestInput, CapPacket>,
    input: ChatInput,
    signal?: AbortSignal,
    log?: RunLog,
  ) {
    this.conversationId = input.conversationId
    this.requestId = input.requestId
    this.#deltas = iterateDeltas(client, input, signal, log)
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#deltas
  }
}

function iterateDeltas(
  client: AgentClient<ServiceRequestInput, CapPacket>,
  input: ChatInput,
  signal: AbortSignal | undefined,
  log: RunLog | undefined,
): AsyncIterator<string> {
  let given = ''
  /** What the agent has to repeat after it began again. */
  let due = ''
  return iterateRun({
    client,
    requestId: input.requestId,
    signal,
    log,
    createRequest: () => client.createRequest(input),
    read({ event }) {
      // A plain sequence of strings cannot take back what it gave: either the new answer repeats it, or an error is better than a mixed answer.
      if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') due = given
      if (event.type !== 'text') return undefined
      const shared = Math.min(due.length, event.text.length)
      if (event.text.slice(0, shared) !== due.slice(0, shared)) throw restarted()
      due = due.slice(shared)
      const text = event.text.slice(shared)
      given += text
      return text === '' ? undefined : text
    },
    onFinished() {
      if (due !== '') throw restarted()
    },
  })
}

function restarted(): Error {
  return createCapError({
    kind: 'runtime',
    code: 'restarted',
    severity: 'TRANSIENT',
    message:
      'The agent started the answer over with a different text, so the text received before is no longer valid. Ask again, or use assist() to follow a restart.',
  })
}

/**
 * The packets of one run. Nothing is sent before iteration begins; iterate once. When the agent answers with
 * JSON in place of a stream there are no packets: `response` holds the ServiceResponse after the loop.
 */
export class AssistStream implements AsyncIterable<CapPacket> {
  readonly requestId: string
  /** The JSON answer, once the run has finished with one. */
  response: ServiceResponse | undefined
  /**
   * How often the agent began its answer again. Packets that came before the newest restart no longer count; compare it in the
   * loop, for packets without `stream_id` do not show that they belong to another answer.
   */
  restarts = 0
  readonly #packets: AsyncIterator<CapPacket>

  constructor(
    client: AgentClient<ServiceRequestInput, CapPacket>,
    request: ServiceRequestInput,
    signal?: AbortSignal,
    log?: RunLog,
  ) {
    this.requestId = request.request_id
    this.#packets = iterateRun({
      client,
      requestId: this.requestId,
      signal,
      log,
      createRequest: () => request,
      read: ({ event, source }) => {
        // The result of a run is always a ServiceResponse validated by the adapter.
        if (event.type === 'run-finished') this.response = event.response as ServiceResponse | undefined
        if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') this.restarts += 1
        return source
      },
    })
  }

  [Symbol.asyncIterator](): AsyncIterator<CapPacket> {
    return this.#packets
  }
}
