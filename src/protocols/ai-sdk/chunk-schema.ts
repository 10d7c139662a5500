import type { JsonObject } from '../../base/json-object.ts'
import type { UiApproval } from './ui-message-schema.ts'

interface ProviderMetadata {
  readonly providerMetadata?: unknown
}

interface ToolFlags extends ProviderMetadata {
  readonly toolCallId: string
  readonly toolName: string
  readonly dynamic?: boolean | undefined
  readonly providerExecuted?: boolean | undefined
  readonly title?: string | undefined
  readonly toolMetadata?: unknown
}

/** One chunk of the stream, read and checked. Members that are null or of a wrong type, and not required, are left out. */
export type UiMessageChunk =
  | { readonly type: 'start'; readonly messageId?: string | undefined; readonly messageMetadata?: unknown }
  | ({ readonly type: 'text-start' | 'reasoning-start' | 'reasoning-end'; readonly id: string } & ProviderMetadata)
  | ({
      readonly type: 'text-delta' | 'reasoning-delta'
      readonly id: string
      readonly delta: string
    } & ProviderMetadata)
  | ({
      readonly type: 'text-end'
      readonly id: string
      readonly citations?: readonly JsonObject[] | undefined
    } & ProviderMetadata)
  | ({ readonly type: 'tool-input-start'; readonly inputEncoding?: string | undefined } & ToolFlags)
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | ({ readonly type: 'tool-input-available'; readonly input?: unknown } & ToolFlags)
  | ({ readonly type: 'tool-input-error'; readonly input?: unknown; readonly errorText: string } & ToolFlags)
  | ({
      readonly type: 'tool-output-available'
      readonly toolCallId: string
      readonly output?: unknown
      readonly preliminary?: boolean | undefined
      readonly providerExecuted?: boolean | undefined
      readonly toolMetadata?: unknown
    } & ProviderMetadata)
  | ({
      readonly type: 'tool-output-error'
      readonly toolCallId: string
      readonly errorText: string
      readonly providerExecuted?: boolean | undefined
      readonly toolMetadata?: unknown
    } & ProviderMetadata)
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | {
      readonly type: 'tool-approval-request'
      readonly toolCallId: string
      readonly approvalId: string
      /** The approval as it goes back to the server. */
      readonly approval: UiApproval
    }
  | ({
      readonly type: 'tool-approval-response'
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string | undefined
      readonly providerExecuted?: boolean | undefined
    } & ProviderMetadata)
  | ({
      readonly type: 'source-url'
      readonly sourceId: string
      readonly url: string
      readonly title?: string | undefined
    } & ProviderMetadata)
  | ({
      readonly type: 'source-document'
      readonly sourceId: string
      readonly mediaType: string
      readonly title: string
      readonly filename?: string | undefined
    } & ProviderMetadata)
  | ({ readonly type: 'file' | 'reasoning-file'; readonly url: string; readonly mediaType: string } & ProviderMetadata)
  | {
      readonly type: 'data'
      /** The type as it was sent: `data-…`. */
      readonly name: string
      readonly id?: string | undefined
      readonly data?: unknown
      readonly transient?: boolean | undefined
    }
  | ({ readonly type: 'custom'; readonly kind: string } & ProviderMetadata)
  | { readonly type: 'steering-message'; readonly id: string; readonly parts: readonly unknown[] }
  | { readonly type: 'start-step' | 'finish-step' | 'reset-step' }
  | { readonly type: 'message-metadata'; readonly messageMetadata?: unknown }
  | { readonly type: 'finish'; readonly finishReason?: string | undefined; readonly messageMetadata?: unknown }
  | { readonly type: 'abort'; readonly reason?: string | undefined }
  | { readonly type: 'error'; readonly errorText: string }
  /** A type of a later version. */
  | { readonly type: 'unknown'; readonly name: string; readonly raw: JsonObject }
