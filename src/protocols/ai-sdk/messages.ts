import type { JsonObject } from '../../base/json-object.ts'
import { withoutUndefined } from '../../base/given-members.ts'

/** State of a tool call in a UIMessage. */
export type UiToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied'

/** The question whether a call may be made, and its answer. It goes back to the server unchanged. */
export interface UiApproval {
  readonly id: string
  /** Absent: not answered. */
  readonly approved?: boolean | undefined
  readonly reason?: string | undefined
  /** Why the server asks. */
  readonly requestReason?: string | undefined
  /** What is asked for, in a form that the app and its server have agreed on. */
  readonly descriptor?: unknown
  /** The server's own rules decide: it is a record, never a question to the user. */
  readonly isAutomatic?: boolean | undefined
  readonly signature?: string | undefined
  /** The input before the server refined it. */
  readonly inputSchemaInput?: unknown
  readonly [key: string]: unknown
}

/**
 * One part of a UIMessage, named as in the AI SDK: `text`, `reasoning`, `tool-…`, `dynamic-tool`, `source-url`,
 * `source-document`, `file`, `data-…`, `step-start` and others. Which of the members there are depends on the type.
 */
export interface UiPart {
  readonly type: string
  readonly text?: string | undefined
  readonly state?: UiToolState | 'streaming' | 'done' | undefined
  readonly toolCallId?: string | undefined
  /** Of a `dynamic-tool`; of a `tool-…` the type has it. */
  readonly toolName?: string | undefined
  readonly input?: unknown
  /** The input as text, as far as it was received: of a call whose input is still coming, or was cut. */
  readonly rawInput?: unknown
  /** Encoding of `rawInput`. @default 'json' */
  readonly inputEncoding?: string | undefined
  readonly output?: unknown
  readonly errorText?: string | undefined
  readonly preliminary?: boolean | undefined
  readonly providerExecuted?: boolean | undefined
  readonly approval?: UiApproval | undefined
  readonly title?: string | undefined
  readonly toolMetadata?: unknown
  readonly callProviderMetadata?: unknown
  readonly resultProviderMetadata?: unknown
  readonly providerMetadata?: unknown
  readonly sourceId?: string | undefined
  readonly url?: string | undefined
  readonly mediaType?: string | undefined
  readonly filename?: string | undefined
  readonly citations?: readonly JsonObject[] | undefined
  /** Id of a `data-…` or a `steering-message`. */
  readonly id?: string | undefined
  readonly data?: unknown
  /** Of a `custom` part. */
  readonly kind?: string | undefined
  /** Of a `steering-message`. */
  readonly parts?: unknown
}

/** A message as the server of an AI SDK app is sent it, and as its answer adds up to. */
export interface UiMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly metadata?: unknown
  readonly parts: readonly UiPart[]
}

/** Name of the tool of a call. Empty: the part is not a call. */
export function toolNameOf({ type, toolName = '' }: UiPart): string {
  return type === 'dynamic-tool' ? toolName : type.startsWith('tool-') ? type.slice('tool-'.length) : ''
}

/** The input so far of a call whose input is still coming, as text. */
export function rawInputOf(part: UiPart | undefined): string {
  return typeof part?.rawInput === 'string' ? part.rawInput : ''
}

/** A call in another state. Members that only the state before had are removed: servers refuse them. */
export function inState(call: UiPart, state: UiToolState, by: Partial<UiPart>): UiPart {
  const {
    rawInput: _raw,
    inputEncoding: _encoding,
    output: _output,
    errorText: _error,
    preliminary: _flag,
    ...kept
  } = call
  return withoutUndefined({ ...kept, ...by, state })
}

/** Whether the part is a call of a tool. */
export function isToolPart({ toolCallId }: UiPart): boolean {
  return toolCallId !== undefined
}
