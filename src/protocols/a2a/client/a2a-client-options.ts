import type { RetryPolicy } from '../../../base/backoff.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { Environment } from '../../../base/ports/environment.ts'
import type { A2ATransport } from '../a2a-transport.ts'
import type { CitationReaders } from '../citations.ts'
import type { SendConfiguration } from '../request.ts'
import type { AnswerLimits } from '../../../session/answer-limits.ts'
import type { RunLog } from '../../../session/iterate-run.ts'
import type { SessionObserver } from '../../../session/agent-client.ts'
import type { A2AContextSource } from './a2a-request.ts'
import type { A2AHttpOptions } from './http-calls.ts'
import type { A2ABindings } from './json-rpc-transport.ts'

/** Options of every `A2AClient`, however its agent is reached. */
export interface A2AClientSettings extends RunLog {
  /** Longest silence of a stream, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Longest time of a call that is not a stream, in milliseconds. @default 180_000 */
  readonly callTimeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** How large one answer may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Context, configuration and metadata of messages: fixed, or asked for at every message. Absent: none. */
  readonly context?: A2AContextSource | undefined
  /** Whether the agent streams. False: its tasks are polled. @default what the card says; without one, it is tried */
  readonly streaming?: boolean | undefined
  /** Interval of polls in milliseconds, where the agent does not stream. @default 2_000 */
  readonly pollMs?: number | undefined
  /** Readers of further citation extensions, by the URI that is their key in `metadata`. @default {} */
  readonly citations?: CitationReaders | undefined
  /** Of the path of the agent. @default that of its card; without one, none */
  readonly tenant?: string | undefined
  /** Notified of every transition and event, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}

/** Options of a client that reaches its agent over HTTP. */
export interface A2AHttpClientOptions extends A2AClientSettings, A2AHttpOptions {}

/** Options of a client that reaches its agent as the agent's card says. */
export interface A2ACardClientOptions extends A2AHttpClientOptions {
  /**
   * Transports for other bindings than JSON-RPC, which is preferred: `{ 'HTTP+JSON': httpJsonTransport }`, or one of your own for
   * `GRPC`.
   *
   * @default {}
   */
  readonly bindings?: A2ABindings | undefined
  /**
   * Other origins than the card's whose interfaces may be given the key, the headers and the messages, such as
   * `https://api.agent.example`. The card alone cannot name them. For bindings other than HTTP: the address from the card.
   *
   * @default []
   */
  readonly origins?: readonly string[] | undefined
}

/** Options of a client with its own transport. */
export interface A2AClientOptions extends A2AClientSettings {
  /** What carries the calls: `jsonRpcTransport`, `httpJsonTransport`, or one of your own. */
  readonly transport: A2ATransport
}

/** What a call of the client may be given. */
export interface A2ACallOptions {
  /** Aborting ends the call, and not the task. Absent: nothing aborts it. */
  readonly signal?: AbortSignal | undefined
}

/** Which page of a list is asked for. */
export interface A2APageOptions extends A2ACallOptions {
  /** Items on a page. Absent: as many as the agent gives. */
  readonly pageSize?: number | undefined
  /** The page after another one, by its `nextPageToken`. Absent: the first. */
  readonly pageToken?: string | undefined
}

/** Options of a message. */
export interface A2ASendOptions extends A2ACallOptions {
  /** How the agent processes the message. Default: the agent's. */
  readonly configuration?: SendConfiguration | undefined
  /** Of the request, beside that of the message. Absent: none. */
  readonly metadata?: JsonObject | undefined
}

/** Options of `getTask`. */
export interface A2AGetTaskOptions extends A2ACallOptions {
  /** Messages of its history. Absent: as many as the agent gives. */
  readonly historyLength?: number | undefined
}
