import type { JsonObject } from '../../base/json-object.ts'
import type { ArcpArtifactRef, ArcpLog } from '../../protocols/arcp/schema/payloads.ts'
import type { Usage } from '../../seam/usage.ts'
import type { JsonSchema } from '../../seam/prompt.ts'

/** How far a job is. All of it may be absent. */
export interface ArcpProgress {
  /** 0 to 100. Absent: not known. */
  readonly percent?: number | undefined
  /** What it does now. Absent: the message before stays. */
  readonly message?: string | undefined
  /** How many of `total` are done. Absent: not counted. */
  readonly current?: number | undefined
  /** Absent: not known. */
  readonly total?: number | undefined
}

/** A question for a value. */
export interface ArcpInputQuestion {
  readonly prompt: string
  /** What the value has to be; an answer that is not is refused, and the question stays open. @default `{ type: 'string' }` */
  readonly schema?: JsonSchema | undefined
  /** The answer when nobody has given one in time. Absent: the question fails with DEADLINE_EXCEEDED. */
  readonly default?: unknown
  /** How long it may be answered, in milliseconds. @default `promptMs` of the runtime */
  readonly expiresInMs?: number | undefined
}

/** A question for one of several options. */
export interface ArcpChoiceQuestion {
  readonly prompt: string
  readonly options: readonly {
    readonly id: string
    readonly label: string
    /** Absent: the label says all. */
    readonly description?: string | undefined
  }[]
  /** Id of the option that holds when nobody has answered in time. Absent: the question fails with DEADLINE_EXCEEDED. */
  readonly default?: string | undefined
  /** How long it may be answered, in milliseconds. @default `promptMs` of the runtime */
  readonly expiresInMs?: number | undefined
}

/** What a tool asks to be allowed. */
export interface ArcpPermissionQuestion {
  readonly permission: string
  readonly resource: string
  readonly operation: string
  /** Why, for the user. Absent: no reason is shown. */
  readonly reason?: string | undefined
  /** For how long. @default 60 */
  readonly leaseSeconds?: number | undefined
  /** How long it may be answered, in milliseconds. @default `promptMs` of the runtime */
  readonly expiresInMs?: number | undefined
}

/** What a question was answered with. */
export interface ArcpAnswered<Value> {
  readonly value: Value
  /** Who answered, as the client says. Absent: it did not say. */
  readonly respondedBy?: string | undefined
  /** Whether nobody answered in time, and the value is the default. */
  readonly byDefault: boolean
}

/** A permission for a while. */
export interface ArcpGrantedLease {
  readonly id: string
  readonly permission: string
  readonly resource: string
  readonly operation: string
  /** Epoch milliseconds at which it ends; later when it was extended meanwhile. */
  readonly expiresAt: number
  /** Aborts when the lease was revoked or has expired, with an `ArcpFault` as its reason. */
  readonly signal: AbortSignal
}

/** What each kind of stream is made of. */
export interface ArcpStreamChunks {
  readonly text: string
  readonly binary: Uint8Array
  readonly thought: string | { readonly content: string; readonly role?: string; readonly redacted?: boolean }
  readonly event: unknown
  readonly log: ArcpLog
  readonly metric: { readonly name: string; readonly value: number; readonly unit?: string; readonly dims?: JsonObject }
}

/** Writes a stream of a job. */
export interface ArcpStreamWriter<Chunk> {
  readonly id: string
  /** Sends a chunk. Resolves when the next one may be sent: later while the client reads slowly or asked for less (backpressure). */
  write(chunk: Chunk): Promise<void>
  /** Ends the stream. What the tool leaves open ends with the job. Idempotent. */
  close(reason?: string): void
  /** Ends the stream with an error; the job continues. Idempotent. */
  fail(code: string, message: string): void
}

/** What a tool is given beside its arguments. Nothing of it throws after the job has ended: it does nothing then. */
export interface ArcpToolContext {
  readonly jobId: string
  readonly sessionId: string
  /** Whose session it is. Absent: an anonymous one. */
  readonly principal?: string | undefined
  /** The trace that the invocation belongs to. Absent: none. */
  readonly traceId?: string | undefined
  /** Aborts when the job has to end: it was cancelled, its session is gone, or its heartbeat is missing. */
  readonly signal: AbortSignal
  progress(progress: ArcpProgress): void
  log(level: ArcpLog['level'], message: string, attributes?: JsonObject): void
  metric(name: string, value: number, options?: { readonly unit?: string; readonly dims?: JsonObject }): void
  /** Tokens and cost that this job has taken since the last call, as metrics of the reserved names. */
  usage(usage: Pick<Usage, 'inputTokens' | 'outputTokens' | 'cost'>): void
  /** Opens a stream. */
  stream<Kind extends keyof ArcpStreamChunks>(
    kind: Kind,
    options?: { readonly contentType?: string | undefined },
  ): ArcpStreamWriter<ArcpStreamChunks[Kind]>
  /** Asks for a value. Rejects with an `ArcpFault`: DEADLINE_EXCEEDED, or CANCELLED when the user does not answer. */
  askHuman(question: ArcpInputQuestion): Promise<ArcpAnswered<unknown>>
  /** Asks for one of several options; the value is its id. Rejects as `askHuman` does. */
  choose(question: ArcpChoiceQuestion): Promise<ArcpAnswered<string>>
  /** Asks to be allowed something. Rejects with an `ArcpFault`: PERMISSION_DENIED or DEADLINE_EXCEEDED. */
  requestPermission(question: ArcpPermissionQuestion): Promise<ArcpGrantedLease>
  /** Stores an artifact and tells the client of it. */
  artifact(content: string | Uint8Array, options: ArcpArtifactOptions): Promise<ArcpArtifactRef>
  /** Sends an event of the app (`event.emit`), or a message of an extension where the name is one. */
  emit(name: string, payload: JsonObject): void
  /** Says that the job lives, where its tool is defined with `heartbeat: 'tool'`. All that it sends says so as well. */
  heartbeat(): void
  /** A place at which the job can wait: resolves with what the user answered where the job was interrupted, else at once. */
  safePoint(): Promise<ArcpAnswered<unknown> | undefined>
}

/** How an artifact is stored. */
export interface ArcpArtifactOptions {
  readonly mediaType: string
  /** How long it is kept, in seconds. @default that of the runtime */
  readonly ttlSeconds?: number | undefined
}

/**
 * What a tool does: what it returns is its result. It may be an async generator: text that it yields is streamed as text, and other
 * values as events. An `ArcpFault` that it throws fails the job under its code.
 */
export type ArcpToolFunction = (given: JsonObject, context: ArcpToolContext) => unknown

/** A tool with more than its function. */
export interface ArcpToolDefinition {
  readonly run: ArcpToolFunction
  /** What the arguments have to be. Absent: any object. */
  readonly schema?: JsonSchema | undefined
  /**
   * Who says that a job lives: the runtime, for as long as the function has not returned, or the tool, which is taken for dead after
   * two intervals without a word.
   *
   * @default 'runtime'
   */
  readonly heartbeat?: 'runtime' | 'tool' | undefined
}

/** A tool of a runtime. */
export type ArcpTool = ArcpToolFunction | ArcpToolDefinition
