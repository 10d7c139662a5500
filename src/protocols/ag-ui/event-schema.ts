import type { JsonObject } from '../../base/json-object.ts'
import type { Usage } from '../../seam/usage.ts'
import type { AgUiContentPart } from './message-schema.ts'

interface Common {
  readonly subagentRunId?: string | undefined
  readonly metadata?: JsonObject | undefined
}

/** One event of the stream, read and checked (AG-UI 1.0, events). `THINKING_…` of older versions are `REASONING_…`. */
export type AgUiEvent = Common &
  (
    | {
        readonly type: 'RUN_STARTED'
        readonly threadId?: string | undefined
        readonly runId?: string | undefined
        readonly parentRunId?: string | undefined
        /** The messages that the server began with. */
        readonly messages: readonly unknown[]
      }
    | {
        readonly type: 'RUN_FINISHED'
        readonly threadId?: string | undefined
        readonly runId?: string | undefined
        readonly result?: unknown
        /** Of all models of the run. */
        readonly usage?: Usage | undefined
        readonly outcome?: unknown
        /** Of drafts of 1.0, beside the outcome. */
        readonly interrupts?: unknown
      }
    | { readonly type: 'RUN_ERROR'; readonly message: string; readonly code?: string | undefined }
    | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }
    | {
        readonly type: 'TEXT_MESSAGE_START'
        readonly messageId: string
        readonly role?: string | undefined
        readonly name?: string | undefined
      }
    | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
    | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
    | {
        readonly type: 'TEXT_MESSAGE_CHUNK'
        readonly messageId?: string | undefined
        readonly role?: string | undefined
        readonly name?: string | undefined
        readonly delta?: string | undefined
      }
    | {
        readonly type: 'TOOL_CALL_START'
        readonly toolCallId: string
        readonly toolCallName: string
        readonly parentMessageId?: string | undefined
      }
    | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
    | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
    | {
        readonly type: 'TOOL_CALL_CHUNK'
        readonly toolCallId?: string | undefined
        readonly toolCallName?: string | undefined
        readonly parentMessageId?: string | undefined
        readonly delta?: string | undefined
      }
    | {
        readonly type: 'TOOL_CALL_RESULT'
        readonly messageId: string
        readonly toolCallId: string
        readonly content: string | readonly AgUiContentPart[]
      }
    | { readonly type: 'REASONING_START' | 'REASONING_END'; readonly messageId: string }
    | { readonly type: 'REASONING_MESSAGE_START'; readonly messageId: string; readonly role?: string | undefined }
    | { readonly type: 'REASONING_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
    | { readonly type: 'REASONING_MESSAGE_END'; readonly messageId: string }
    | {
        readonly type: 'REASONING_MESSAGE_CHUNK'
        readonly messageId?: string | undefined
        readonly delta?: string | undefined
      }
    | {
        readonly type: 'REASONING_ENCRYPTED_VALUE'
        readonly subtype: string
        readonly entityId: string
        readonly encryptedValue: string
      }
    | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: unknown }
    | { readonly type: 'STATE_DELTA'; readonly delta: readonly unknown[] }
    | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly unknown[] }
    | {
        readonly type: 'ACTIVITY_SNAPSHOT'
        readonly messageId: string
        readonly activityType: string
        readonly content: JsonObject
        readonly replace?: boolean | undefined
      }
    | {
        readonly type: 'ACTIVITY_DELTA'
        readonly messageId: string
        readonly activityType?: string | undefined
        readonly patch: readonly unknown[]
      }
    | {
        readonly type: 'SUBAGENT_STARTED'
        readonly name: string
        readonly description?: string | undefined
        readonly parentSubagentRunId?: string | undefined
        readonly subagentRunId: string
      }
    | { readonly type: 'SUBAGENT_FINISHED'; readonly subagentRunId: string; readonly outcome?: unknown }
    | { readonly type: 'SUBAGENT_ERROR'; readonly subagentRunId: string; readonly message: string }
    | { readonly type: 'RAW' }
    | { readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown }
    /** A type of a later version. */
    | { readonly type: 'UNKNOWN'; readonly name: string }
  )
