import type { RetryPolicy } from '../../../base/backoff.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { Environment } from '../../../base/ports/environment.ts'
import type { ChatUrl } from '../adapter.ts'
import type { ClientTool } from '../call-prompt.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AnswerLimits } from '../../../session/answer-limits.ts'
import type { SessionObserver } from '../../../session/agent-client.ts'
import type { ApiKey, HeaderSource } from '../../../wire/credential.ts'
import type { Fetch } from '../../../wire/fetch-transport.ts'
import type { AiSdkBody, AiSdkCall } from './ai-sdk-request.ts'

/** Options of an `AiSdkClient`. */
export interface AiSdkClientOptions {
  /** Where messages are posted: absolute, or a path on the page's own origin. @default '/api/chat' */
  readonly api?: string | undefined
  /** Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: none. */
  readonly apiKey?: ApiKey | undefined
  /** Extra request headers, or a function that makes them, asked before every attempt. Absent: none. */
  readonly headers?: HeaderSource | undefined
  /** Added to the body of every request: fixed, or asked for at each. `id`, `messages` and `trigger` win. Absent: nothing is added. */
  readonly body?: AiSdkBody | undefined
  /** What of the conversation goes along: `messages` with all of it, or `message` with the last alone. @default 'all' */
  readonly history?: 'all' | 'last' | undefined
  /** Makes the whole body, in place of `body` and `history`. Absent: the body is that of the AI SDK. */
  readonly prepareBody?: ((call: AiSdkCall, input: ChatInput) => JsonObject | Promise<JsonObject>) | undefined
  /**
   * Where the stream of a chat is resumed by GET after a dropped connection. False: the server keeps no streams.
   *
   * @default `{api}/{id}/stream`
   */
  readonly resumeUrl?: ChatUrl | false | undefined
  /**
   * Whether requests say by the header `X-Run-Id` which run of their chat they are about. A server that keeps streams by run, as
   * `createAgentProxy` does, then never gives an older answer for this one. A server of another origin has to allow the header.
   *
   * @default true where `api` is a path on the page's own origin
   */
  readonly namesRuns?: boolean | undefined
  /** Where the run of a chat is stopped by POST. The AI SDK has no endpoint for that. Absent: a stopped run is left, and may continue. */
  readonly stopUrl?: ChatUrl | undefined
  /**
   * What counts as the end of an answer. `strict`: the chunk `finish`. `tolerant`: `[DONE]` as well, when every part is closed; LangChain
   * and LlamaIndex send only this.
   *
   * @default 'tolerant'
   */
  readonly mode?: 'strict' | 'tolerant' | undefined
  /** Tools without a function on the server, by name: what their outputs look like, and how the user is asked. @default {} */
  readonly clientTools?: Readonly<Record<string, ClientTool>> | undefined
  /** Longest silence of a stream, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** Another fetch than the platform's. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
  /** Longest single chunk, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
  /** How large one answer may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and event, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}
