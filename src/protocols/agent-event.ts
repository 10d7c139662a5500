import type { AgentError } from '../base/agent-error.ts'
import type { VariantGuards } from '../base/guards.ts'
import { either, isAnything, isBoolean, isNumber, isString, listOf, oneOf, optional, shape } from '../base/guards.ts'

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
export type ViewHint = 'TABLE' | 'JSON' | 'LIST' | 'KEY_VALUE'

/** What an agent shows beside its text, in neutral words. Every protocol translates into these. */
export type AgentPart =
  | { readonly type: 'citations'; readonly citations: readonly Citation[] }
  | { readonly type: 'progress'; readonly label: string; readonly status: ProgressStatus; /** 0 to 1. */ readonly fraction?: number | undefined; readonly detail?: string | undefined }
  | { readonly type: 'thought'; readonly text: string; readonly status?: 'running' | 'complete' | undefined; readonly redacted?: boolean | undefined }
  | { readonly type: 'media'; readonly items: readonly MediaItem[] }
  | { readonly type: 'markdown'; readonly content: string }
  | { readonly type: 'artifact'; readonly artifactId?: string | undefined; readonly url?: string | undefined; readonly mimeType?: string | undefined; readonly artifactType?: string | undefined }
  | { readonly type: 'data'; readonly data: unknown; readonly viewHint?: ViewHint | undefined }
  | { readonly type: 'notice'; readonly message: string; readonly code?: string | number | undefined; readonly domain?: string | undefined; readonly retryable?: boolean | undefined; readonly details?: unknown }
  | { readonly type: 'tool-call'; readonly name: string; readonly input?: unknown; readonly output?: unknown; readonly status: 'running' | 'complete' | 'failed' }
  /** Something the protocol allows and this library has no word for: kept, shown folded, never fatal. */
  | { readonly type: 'unknown'; readonly name: string; readonly raw: unknown }

const isText = optional(isString)
const isCitation = shape<Citation>({ sourceId: isString, uri: isString, title: isString, snippet: isText, confidence: optional(isNumber), text: isText, indices: optional(listOf(isNumber)) })
const isMediaItem = shape<MediaItem>({ url: isString, mimeType: isString, alt: isText })

/** Type guards: what the fields of each part must be when they come from outside, such as a stored record. */
export const AGENT_PART_GUARDS: VariantGuards<AgentPart, 'type'> = {
  citations: shape({ citations: listOf(isCitation) }),
  progress: shape({ label: isString, status: oneOf('pending', 'running', 'complete', 'failed'), fraction: optional(isNumber), detail: isText }),
  thought: shape({ text: isString, status: oneOf('running', 'complete', undefined), redacted: optional(isBoolean) }),
  media: shape({ items: listOf(isMediaItem) }),
  markdown: shape({ content: isString }),
  artifact: shape({ artifactId: isText, url: isText, mimeType: isText, artifactType: isText }),
  data: shape({ data: isAnything, viewHint: oneOf('TABLE', 'JSON', 'LIST', 'KEY_VALUE', undefined) }),
  notice: shape({ message: isString, code: either(isText, isNumber), domain: isText, retryable: optional(isBoolean), details: isAnything }),
  'tool-call': shape({ name: isString, input: isAnything, output: isAnything, status: oneOf('running', 'complete', 'failed') }),
  unknown: shape({ name: isString, raw: isAnything }),
}

/** A question from the agent that only the person can answer. */
export interface Prompt {
  readonly id: string
  readonly kind: 'input' | 'choice' | 'permission' | 'sign-in'
  readonly message: string
  readonly schema?: unknown
}

/** Something worth knowing that changes no content. */
export type Diagnostic =
  /** Packets between `after` and `before` never came (CAP section 7, row 5). */
  | { readonly kind: 'gap'; readonly streamId: string; readonly after: number; readonly before: number }
  /** The server began again under new stream ids: what it said before no longer counts. */
  | { readonly kind: 'restarted'; readonly streamId: string }
  /** A packet that could not be read and was left out (tolerant mode only). */
  | { readonly kind: 'skipped-packet'; readonly error: AgentError; readonly raw: string }

/** All that can happen in a run: the only words session, state and views know. */
export type AgentEvent =
  | { readonly type: 'run-started'; readonly runId?: string | undefined }
  | { readonly type: 'text'; readonly streamId: string; readonly text: string }
  /** Insert the part, or replace the one of the same `partId` in the same stream. */
  | { readonly type: 'part'; readonly streamId: string; readonly partId: string; readonly part: AgentPart }
  /** Replace all the stream has shown (A2A resumes with the whole task). */
  | { readonly type: 'snapshot'; readonly streamId: string; readonly text: string; readonly parts: readonly { readonly partId: string; readonly part: AgentPart }[] }
  | { readonly type: 'prompt'; readonly prompt: Prompt }
  /** Severity WARNING: the stream goes on. */
  | { readonly type: 'warning'; readonly streamId?: string | undefined; readonly error: AgentError }
  /** Severity TRANSIENT: the stream will go on after a reconnect. */
  | { readonly type: 'stream-interrupted'; readonly streamId: string; readonly error: AgentError }
  /** Severity FATAL: this stream says nothing more; others may. */
  | { readonly type: 'stream-failed'; readonly streamId: string; readonly error: AgentError }
  | { readonly type: 'stream-closed'; readonly streamId: string; readonly reason?: string | undefined }
  /** The whole run is over, whatever streams it had. */
  | { readonly type: 'run-finished'; readonly response?: unknown }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }
