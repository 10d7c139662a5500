import { isString } from '../../base/guards.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { ValidationError } from '../../base/format/validation-error.ts'

/** Call of a tool in a message. */
export interface AgUiToolCall {
  readonly id: string
  readonly type: 'function'
  /** The arguments are JSON text, as the model wrote it. */
  readonly function: { readonly name: string; readonly arguments: string }
  readonly encryptedValue?: string | undefined
  readonly metadata?: JsonObject | undefined
}

/** Part of a content, such as `{ type: 'text', text }`. Which members there are depends on the type. */
export interface AgUiContentPart {
  readonly type: string
  readonly text?: string | undefined
  readonly source?: unknown
  readonly [key: string]: unknown
}

/** A message of a thread, as runs send it back to the server (AG-UI 1.0, messages). Which members there are depends on the role. */
export interface AgUiMessage {
  readonly id: string
  readonly role: 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'reasoning' | 'activity'
  /** Text, parts, or of an activity the object that it shows. Absent: an assistant that only calls tools. */
  readonly content?: string | readonly AgUiContentPart[] | JsonObject | undefined
  readonly name?: string | undefined
  readonly toolCalls?: readonly AgUiToolCall[] | undefined
  /** Of a result: the call it belongs to. */
  readonly toolCallId?: string | undefined
  /** Of a result: why there is none. */
  readonly error?: string | undefined
  /** What a provider wants back unread. */
  readonly encryptedValue?: string | undefined
  readonly activityType?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly subagentRunId?: string | undefined
}

/** Text of a content: that of its parts, one after the other. */
export function contentText(content: AgUiMessage['content']): string {
  if (typeof content === 'string') return content
  // The content of an activity is not a list, and has no text.
  return Array.isArray(content) ? content.map(({ text = '' }: AgUiContentPart) => text).join('') : ''
}

/** Types of parts; others are left out. */
const PARTS = /^(?:text|image|audio|video|document)$/

/** @throws ValidationError */
export function readContent(content: unknown, isActivity: boolean): NonNullable<AgUiMessage['content']> {
  if (isActivity) {
    if (isJsonObject(content)) return content
    throw new ValidationError('the content of an activity is not an object')
  }
  if (isString(content)) return content
  if (!Array.isArray(content)) throw new ValidationError('a content is neither text nor parts')
  return content.filter(
    (part): part is AgUiContentPart => isJsonObject(part) && isString(part['type']) && PARTS.test(part['type']),
  )
}
