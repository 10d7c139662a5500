import type { DocumentedData } from '../../protocols/cap/presentation/presentation-event.ts'
import type { PresentationType } from '../../protocols/cap/presentation/presentation-types.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { kindOf } from '../../protocols/cap/read/usual-packet.ts'
import { toServiceResponse } from '../../protocols/cap/read/read-response.ts'
import { streamErrorSchema } from '../../protocols/cap/schema/packet.ts'
import { appError } from './app-error.ts'

/** RFC 005: the one shape of an error in CAP, in a packet and in the body of an HTTP error alike. */
export interface StreamErrorBody {
  /** Stable snake_case name, such as `rate_limit_exceeded`. */
  readonly code: string
  /** For people; no internals. */
  readonly message: string
  readonly severity: 'FATAL' | 'TRANSIENT' | 'WARNING'
  readonly details?: Readonly<Record<string, unknown>>
}

/** What the schema of the protocol takes for each type. */
type Documented = { readonly [Type in PresentationType]: DeepReadonly<DocumentedData[Type]> }

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value

/** The `data` of each event that has a component (CAP section 3.3). Other types may carry any object. */
export interface PresentationData extends Documented {
  readonly THOUGHT_TRACE: { readonly thought: string; readonly status?: 'IN_PROGRESS' | 'COMPLETE' }
  readonly CITATION_BLOCK: {
    readonly citations: readonly {
      readonly source_id: string
      /** Absolute URL. */
      readonly uri: string
      readonly title: string
      readonly snippet?: string
      /** 0 to 1. */
      readonly confidence: number
    }[]
  }
  readonly PROGRESS_INDICATOR: {
    readonly label: string
    readonly status: 'running' | 'complete' | 'failed'
    /** 0 to 1. */
    readonly progress_percent?: number
  }
  readonly MEDIA_CAROUSEL: {
    /** `url` is absolute. */
    readonly items: readonly { readonly url: string; readonly mime_type: string; readonly alt_text?: string }[]
  }
  readonly MARKDOWN_BLOCK: { readonly content: string }
  /** A tool the agent uses. Say it again under the same `id` when it has ended; what never does is shown as unfinished. */
  readonly TOOL_CALL: {
    readonly name: string
    /** What went in: any JSON. */
    readonly arguments?: unknown
    /** The output: any JSON. */
    readonly result?: unknown
    /** Why it failed: a sentence, or any JSON. */
    readonly error?: unknown
    /**
     * `waiting`: for the user, whom the agent has asked about it. `denied`: the user did not allow it.
     *
     * @default `failed` with an error, `complete` with a result, else `running`
     */
    readonly status?: 'running' | 'waiting' | 'complete' | 'failed' | 'denied'
  }
  readonly DATA_BLOCK: {
    /** Any JSON: rows, a list, an object. */
    readonly data: unknown
    /** How to show it. Data that do not fit are shown as JSON. @default `JSON` */
    readonly view_hint?: 'TABLE' | 'JSON' | 'LIST' | 'KEY_VALUE'
  }
  /** Something the agent made. It has an id, an address, or both. */
  readonly ARTIFACT: {
    readonly mime_type?: string
    /** What it is, such as `report`. */
    readonly artifact_type?: string
  } & (
    | { readonly artifact_id: string; /** Absolute URL. */ readonly url?: string }
    | { readonly artifact_id?: string; /** Absolute URL. */ readonly url: string }
  )
  /** Something went wrong that the user should know of, while the agent is well and continues. */
  readonly USER_ERROR: {
    /** For people; no internals. */
    readonly message: string
    readonly code?: number | string
    /** Where it arose. */
    readonly domain?: 'client' | 'system' | 'llm' | 'tool' | 'security'
    /** Offers to ask again. @default false */
    readonly retryable?: boolean
    readonly details?: Readonly<Record<string, unknown>>
  }
}

export interface EventOutput {
  readonly kind: 'event'
  readonly type: string
  readonly data: object
  readonly id?: string | undefined
  readonly stream?: string | undefined
}

export interface ErrorOutput {
  readonly kind: 'error'
  readonly error: StreamErrorBody
  readonly stream?: string | undefined
}

export interface TextOutput {
  readonly kind: 'text'
  readonly text: string
  readonly stream?: string | undefined
}

export interface CloseOutput {
  readonly kind: 'close'
  readonly reason: string
  readonly stream?: string | undefined
}

/** What an agent can say: a string is text on its main stream, the rest is made by the functions below. */
export type AgentOutput = string | TextOutput | EventOutput | ErrorOutput | CloseOutput

/**
 * A presentation event. Known types check their `data`; any other type is allowed and reaches the client as it is.
 * Say a second event with the same `id` (a UUID, see `run.uuid()`) to replace the first in place.
 */
export function event<Type extends string>(
  type: Type,
  data: Type extends keyof PresentationData ? PresentationData[Type] : Readonly<Record<string, unknown>>,
  options: {
    /** A UUID; the same one again replaces the event in place. @default a new UUID */
    readonly id?: string | undefined
  } = {},
): EventOutput {
  return { kind: 'event', type, data, id: options.id }
}

/** Something the user should know; the answer continues. */
export function warning(code: string, message: string, details?: Readonly<Record<string, unknown>>): ErrorOutput {
  return errorOutput('WARNING', code, message, details)
}

/** The stream will continue: the client comes back after `retryAfterSeconds` and reads what followed. */
export function transient(
  code: string,
  message: string,
  options: {
    /** Seconds until the client is to come back. Absent: the client waits as its backoff says. */
    readonly retryAfterSeconds?: number | undefined
    /** Anything else for developers. Absent: none. */
    readonly details?: Readonly<Record<string, unknown>> | undefined
  } = {},
): ErrorOutput {
  const { retryAfterSeconds, details } = options
  const merged = retryAfterSeconds === undefined ? details : { ...details, retry_after: retryAfterSeconds }
  return errorOutput('TRANSIENT', code, message, merged)
}

/** Ends the stream: nothing more can be sent on it; CLOSE follows automatically. */
export function fatal(code: string, message: string, details?: Readonly<Record<string, unknown>>): ErrorOutput {
  return errorOutput('FATAL', code, message, details)
}

/**
 * Ends a stream before the run ends. Streams left open are closed when the agent returns. Open the next
 * stream before closing the last one: a client may leave once all it knows of are closed.
 */
export function close(reason = 'finished'): CloseOutput {
  return { kind: 'close', reason }
}

/** Says something on its own stream, opened by the first use of its name. Every stream is a separate bubble. */
export function onStream(name: string, output: AgentOutput): AgentOutput {
  return typeof output === 'string' ? { kind: 'text', text: output, stream: name } : { ...output, stream: name }
}

function errorOutput(
  severity: StreamErrorBody['severity'],
  code: string,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ErrorOutput {
  return {
    kind: 'error',
    error: details === undefined ? { code, message, severity } : { code, message, severity, details },
  }
}

// RFC 005 requires a check of outgoing packets. TypeScript types are not enough, because agents can be written in
// JavaScript.

/**
 * Validates the output of an agent against what a packet can contain.
 *
 * @throws AgentError `app_error` that tells the developer what was wrong
 */
export function checkOutput(said: unknown): asserts said is AgentOutput {
  if (typeof said === 'string') return
  if (!isJsonObject(said))
    throw appError(`The agent yielded or wrote ${describe(said)}, which no packet can carry. ${CAN_SAY}`)
  const { kind, stream } = said
  if (stream !== undefined) check(said, 'stream', 'a string')
  if (kind === 'text') check(said, 'text', 'a string')
  else if (kind === 'close') check(said, 'reason', 'a string')
  else if (kind === 'event') {
    check(said, 'type', 'a string')
    check(said, 'data', 'an object')
    if (said['id'] !== undefined) check(said, 'id', 'a string')
  } else if (kind === 'error') checkError(said['error'])
  else
    throw appError(
      `The agent yielded or wrote an object with no "kind" it knows, which no packet can carry. ${CAN_SAY}`,
    )
}

/** The reason an agent ends with. @throws AgentError `app_error` when it is not a text */
export function checkEnding(ending: unknown): string | undefined {
  if (ending === undefined || ending === null) return undefined
  if (typeof ending === 'string') return ending
  throw appError(
    `The agent returned ${describe(ending)}. Return nothing, the reason its stream closes with as a string, or, from a function that does not stream, { output }.`,
  )
}

/** A ServiceResponse as it goes out. @throws AgentError `app_error` when it is none */
export function checkServiceResponse(json: string): string {
  if (toServiceResponse(JSON.parse(json)) !== undefined) return json
  throw appError(
    'The agent returned an object that makes no ServiceResponse. Return { output } or { output, metrics }, both objects; to stream, return an async generator.',
  )
}

const CAN_SAY = 'Yield a string, or what event(), warning(), transient(), fatal(), close() and onStream() make.'

function check(said: Readonly<Record<string, unknown>>, key: string, wanted: 'a string' | 'an object'): void {
  const value = written(said[key])
  const fits = wanted === 'a string' ? typeof value === 'string' : isJsonObject(value)
  if (!fits)
    throw appError(
      `The agent said something of kind ${String(said['kind'])} that no packet can carry: "${key}" must be ${wanted}, but is ${describe(value)}.`,
    )
}

function checkError(error: unknown): void {
  // As it will be written: errors are rare and small.
  const parsed = streamErrorSchema.safeParse(isJsonObject(error) ? JSON.parse(JSON.stringify(error)) : error)
  if (parsed.success) return
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  throw appError(`The agent reported an error that is no StreamError (RFC 005): ${faults.join('; ')}.`)
}

/** The JSON form of a value with its own `toJSON`, such as a Date. */
function written(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  const toJson = value['toJSON']
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, ['']) : value
}

function describe(value: unknown): string {
  return value === undefined ? 'undefined' : kindOf(value)
}
