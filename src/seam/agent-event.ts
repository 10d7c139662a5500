import type { AgentError } from '../base/agent-error.ts'
import type { VariantGuards } from '../base/guards.ts'
import {
  either,
  isAnything,
  isBoolean,
  isNumber,
  isString,
  isListOf,
  oneOf,
  isOptional,
  shape,
} from '../base/guards.ts'
import type { Lease } from './lease.ts'
import { isLease } from './lease.ts'
import type { Prompt, PromptAnswer, PromptEnd } from './prompt.ts'
import { isPrompt } from './prompt.ts'
import type { Usage } from './usage.ts'

/** A source the agent leans on. `uri` is untrusted text: it passes the URL gate before it becomes a link. */
export interface Citation {
  readonly sourceId: string
  readonly uri: string
  readonly title: string
  readonly snippet?: string | undefined
  /** 0 to 1. */
  readonly confidence?: number | undefined
  /** The words in the answer that the source supports, when the agent names them. */
  readonly text?: string | undefined
  readonly indices?: readonly number[] | undefined
}

export interface MediaItem {
  readonly url: string
  readonly mimeType: string
  readonly alt?: string | undefined
}

export type ProgressStatus = 'pending' | 'running' | 'complete' | 'failed'
/** `preparing`: its input is still coming. `waiting`: for the user, who must allow it. `denied`: the user did not. */
export type ToolCallStatus = 'preparing' | 'running' | 'waiting' | 'complete' | 'failed' | 'denied'
/** What a task can be, in the words of A2A; `unknown` for anything else. */
export type TaskStatus =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'unknown'
export type ViewHint = 'TABLE' | 'JSON' | 'LIST' | 'KEY_VALUE'

/**
 * Parts that an agent shows besides its text, independent of the protocol. Every protocol maps its events to these
 * types.
 */
export type AgentPart =
  | { readonly type: 'citations'; readonly citations: readonly Citation[] }
  | {
      readonly type: 'progress'
      readonly label: string
      readonly status: ProgressStatus
      /** 0 to 1. */ readonly fraction?: number | undefined
      readonly detail?: string | undefined
    }
  | {
      readonly type: 'thought'
      readonly text: string
      readonly status?: 'running' | 'complete' | undefined
      readonly redacted?: boolean | undefined
    }
  | { readonly type: 'media'; readonly items: readonly MediaItem[] }
  | { readonly type: 'markdown'; readonly content: string }
  | {
      readonly type: 'artifact'
      readonly artifactId?: string | undefined
      readonly url?: string | undefined
      readonly mimeType?: string | undefined
      readonly artifactType?: string | undefined
      readonly name?: string | undefined
      /** `growing` while more of it comes. Absent: it is whole. */
      readonly state?: 'growing' | 'complete' | undefined
      /** Counts up when it is made again. Absent: it has no versions. */
      readonly version?: number | undefined
      /** In bytes. Absent: not known. */
      readonly size?: number | undefined
      /** Its content as text. */
      readonly text?: string | undefined
      /** Its content in base64. */
      readonly bytes?: string | undefined
      /** Its content as JSON. */
      readonly data?: unknown
    }
  | {
      readonly type: 'data'
      readonly data: unknown
      readonly viewHint?: ViewHint | undefined
      readonly name?: string | undefined
      readonly mimeType?: string | undefined
    }
  | {
      readonly type: 'notice'
      readonly message: string
      readonly code?: string | number | undefined
      readonly domain?: string | undefined
      readonly retryable?: boolean | undefined
      readonly details?: unknown
    }
  | {
      readonly type: 'tool-call'
      readonly name: string
      readonly input?: unknown
      /** The beginning of its input as JSON text, while it is coming. */
      readonly partialInput?: string | undefined
      readonly output?: unknown
      readonly status: ToolCallStatus
    }
  | {
      readonly type: 'task'
      readonly title?: string | undefined
      readonly status: TaskStatus
      /** What it is doing, as plain text; replaced by what it does next. */
      readonly detail?: string | undefined
      /** The part of the task that this one belongs to. Absent: it belongs to none. */
      readonly parentId?: string | undefined
    }
  /** A question to the user. Its `partId` is the id of the prompt. */
  | { readonly type: 'prompt'; readonly prompt: Prompt }
  /** What the user has allowed for a time, and its state. Its `partId` is the id of the lease. */
  | { readonly type: 'lease'; readonly lease: Lease }
  /**
   * The state that agent and user share, as the agent has it now; `useAgentState` reads it. `edit`: the id of the edit of the user that its
   * run took along. Shown by the app, never in the transcript.
   */
  | { readonly type: 'state'; readonly state: unknown; readonly edit?: string | undefined }
  /** A message that the user sent into the running answer, at its place in that answer. */
  | { readonly type: 'said'; readonly text: string; readonly status: 'sending' | 'sent' | 'not-sent' }
  /**
   * An event that the protocol allows and this library does not know: it is kept and shown collapsed, and is never an
   * error.
   */
  | { readonly type: 'unknown'; readonly name: string; readonly raw: unknown }

const isText = isOptional(isString)
const isCitation = shape<Citation>({
  sourceId: isString,
  uri: isString,
  title: isString,
  snippet: isText,
  confidence: isOptional(isNumber),
  text: isText,
  indices: isOptional(isListOf(isNumber)),
})
const isMediaItem = shape<MediaItem>({ url: isString, mimeType: isString, alt: isText })

/** Type guards: what the fields of each part must be when they come from outside, such as a stored record. */
export const AGENT_PART_GUARDS: VariantGuards<AgentPart, 'type'> = {
  citations: shape({ citations: isListOf(isCitation) }),
  progress: shape({
    label: isString,
    status: oneOf('pending', 'running', 'complete', 'failed'),
    fraction: isOptional(isNumber),
    detail: isText,
  }),
  thought: shape({ text: isString, status: oneOf('running', 'complete', undefined), redacted: isOptional(isBoolean) }),
  media: shape({ items: isListOf(isMediaItem) }),
  markdown: shape({ content: isString }),
  artifact: shape({
    artifactId: isText,
    url: isText,
    mimeType: isText,
    artifactType: isText,
    name: isText,
    state: oneOf('growing', 'complete', undefined),
    version: isOptional(isNumber),
    size: isOptional(isNumber),
    text: isText,
    bytes: isText,
    data: isAnything,
  }),
  data: shape({
    data: isAnything,
    viewHint: oneOf('TABLE', 'JSON', 'LIST', 'KEY_VALUE', undefined),
    name: isText,
    mimeType: isText,
  }),
  notice: shape({
    message: isString,
    code: either(isText, isNumber),
    domain: isText,
    retryable: isOptional(isBoolean),
    details: isAnything,
  }),
  'tool-call': shape({
    name: isString,
    input: isAnything,
    partialInput: isText,
    output: isAnything,
    status: oneOf('preparing', 'running', 'waiting', 'complete', 'failed', 'denied'),
  }),
  task: shape({
    title: isText,
    status: oneOf(
      'submitted',
      'working',
      'input-required',
      'auth-required',
      'completed',
      'canceled',
      'failed',
      'rejected',
      'unknown',
    ),
    detail: isText,
    parentId: isText,
  }),
  prompt: shape({ prompt: isPrompt }),
  lease: shape({ lease: isLease }),
  state: shape({ state: isAnything, edit: isText }),
  said: shape({ text: isString, status: oneOf('sending', 'sent', 'not-sent') }),
  unknown: shape({ name: isString, raw: isAnything }),
}

/** Something of a snapshot, in its place: text or another part. */
export interface SnapshotPart {
  readonly partId: string
  readonly part: AgentPart | { readonly type: 'text'; readonly text: string }
}

/**
 * How a stream or a run ended that did not fail. `awaiting-input`: it ends with a question, and continues with the next request, which
 * carries the answer. `cancelled`: the agent stopped because the user wanted it to.
 */
export type RunOutcome = 'complete' | 'awaiting-input' | 'cancelled'

/** Something worth knowing that changes no content. */
export type Diagnostic =
  /** Packets between `after` and `before` never came (CAP section 7, row 5). */
  | { readonly kind: 'gap'; readonly streamId: string; readonly after: number; readonly before: number }
  /** The server restarted the answer under new stream ids: earlier content is discarded. */
  | { readonly kind: 'restarted'; readonly streamId: string }
  /** A packet that could not be read and was left out (tolerant mode only). */
  | { readonly kind: 'skipped-packet'; readonly error: AgentError; readonly raw: string }

/** All events of a run: the only event types that session, state and components use. */
export type AgentEvent =
  | { readonly type: 'run-started'; readonly runId?: string | undefined }
  /** More text. With a `partId` it continues the text of that part, else the last text of the stream. */
  | { readonly type: 'text'; readonly streamId: string; readonly text: string; readonly partId?: string | undefined }
  /** Insert the part, or replace the one of the same `partId` in the same stream. */
  | { readonly type: 'part'; readonly streamId: string; readonly partId: string; readonly part: AgentPart }
  /** Replace all the stream has shown, by parts in their order (A2A resumes with the whole task). */
  | { readonly type: 'snapshot'; readonly streamId: string; readonly parts: readonly SnapshotPart[] }
  /** A question to the user: a new one, or one that is known as it is now. */
  | { readonly type: 'prompt'; readonly prompt: Prompt }
  /** A question has ended. Absent `answerId`: the agent does not say which answer it took. */
  | {
      readonly type: 'prompt-settled'
      readonly streamId: string
      readonly promptId: string
      readonly state: PromptEnd
      readonly answerId?: string | undefined
      readonly answer?: PromptAnswer | undefined
    }
  | { readonly type: 'usage'; readonly streamId: string; readonly usage: Usage }
  /** Severity WARNING: the stream continues. */
  | { readonly type: 'warning'; readonly streamId?: string | undefined; readonly error: AgentError }
  /** Severity TRANSIENT: the stream will continue after a reconnect. */
  | { readonly type: 'stream-interrupted'; readonly streamId: string; readonly error: AgentError }
  /** Severity FATAL: this stream ends; other streams can continue. */
  | { readonly type: 'stream-failed'; readonly streamId: string; readonly error: AgentError }
  | {
      readonly type: 'stream-closed'
      readonly streamId: string
      readonly reason?: string | undefined
      /** @default 'complete' */
      readonly outcome?: RunOutcome | undefined
    }
  /** The whole run has ended, whatever streams it had. */
  | {
      readonly type: 'run-finished'
      readonly response?: unknown
      /** @default that of its streams */
      readonly outcome?: RunOutcome | undefined
    }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }
