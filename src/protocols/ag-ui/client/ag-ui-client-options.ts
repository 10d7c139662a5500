import type { RetryPolicy } from '../../../base/backoff.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { Environment } from '../../../base/ports/environment.ts'
import type { AgUiRun } from '../adapter.ts'
import type { PageTool } from '../interrupt-prompt.ts'
import type { AgUiRunInput } from '../request.ts'
import type { CustomPart } from '../run-reading.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AnswerLimits } from '../../../session/answer-limits.ts'
import type { SessionObserver } from '../../../session/agent-client.ts'
import type { ApiKey, HeaderSource } from '../../../wire/credential.ts'
import type { Fetch } from '../../../wire/fetch-transport.ts'

/** Something that is asked for at every run, or fixed. */
export type PerRun<Value> = Value | ((input: ChatInput) => Value | Promise<Value>)

/** Options of an `AgUiClient`. */
export interface AgUiClientOptions {
  /** Where runs are posted: absolute, or a path on the page's own origin. */
  readonly url: string
  /** Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: none. */
  readonly apiKey?: ApiKey | undefined
  /** Extra request headers, or a function that makes them, asked before every attempt. Absent: none. */
  readonly headers?: HeaderSource | undefined
  /** Tools of the page by name, offered with every run: their outputs are asked of the user, or given by the app. @default {} */
  readonly tools?: Readonly<Record<string, PageTool>> | undefined
  /** What the agent is told of the page. @default [] */
  readonly context?: PerRun<AgUiRunInput['context']> | undefined
  /** The state that a thread begins with: any JSON, or a function that makes it. @default {} */
  readonly state?: unknown
  /** Passed on to the agent unchanged; metadata of a message is added as its `metadata`, key by key. @default {} */
  readonly forwardedProps?: PerRun<JsonObject> | undefined
  /** Changes the whole body before it is posted. Absent: it is that of AG-UI 1.0. */
  readonly prepareInput?: ((input: AgUiRunInput, from: ChatInput) => AgUiRunInput | Promise<AgUiRunInput>) | undefined
  /** Shows events `CUSTOM` of the server by name, each as a part of its answer. @default {} */
  readonly custom?: Readonly<Record<string, CustomPart>> | undefined
  /**
   * How a run is resumed after a dropped connection, where the server numbers its frames. `get`: GET with `?runId=…` and
   * `Last-Event-ID`. `post`: the same POST with `Last-Event-ID`, only for servers that never run an id twice. False: not at all.
   *
   * @default 'get'
   */
  readonly resume?: 'get' | 'post' | false | undefined
  /**
   * Where a run is stopped by POST with its `runId`, and with its `threadId` where the address does not name it. AG-UI has no endpoint
   * for that. Absent: a stopped run is left, and may go on.
   */
  readonly stopUrl?: ((run: AgUiRun) => string) | undefined
  /**
   * How the stream is read. `strict`: by the letter of AG-UI 1.0. `tolerant`: with what servers are known to do otherwise.
   *
   * @default 'tolerant'
   */
  readonly mode?: 'strict' | 'tolerant' | undefined
  /** Longest silence of a stream, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** Another fetch than the platform's. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
  /** Longest single event, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
  /** How large one answer may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and event, for logs: `createDebugLog()` prints them. Absent: not told. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}
