'use client'
import type { AiSdkRequest } from '../request.ts'
import type { UiMessageChunk } from '../chunks.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import type { ChatTypes } from '../../../state/message.ts'
import type { AgentChat, AgentChatOptions } from '../../../react/use-agent-chat.ts'
import { useAgentChat } from '../../../react/use-agent-chat.ts'

/** What {@link useAiSdkChat} takes; all are optional. */
export interface AiSdkChatOptions<Types extends ChatTypes = ChatTypes> extends Omit<AgentChatOptions<Types>, 'client'> {
  /** An `AiSdkClient`. @default the provider's client */
  readonly client?: AgentClient<AiSdkRequest, UiMessageChunk> | undefined
}

/** What {@link useAiSdkChat} returns. */
export type AiSdkChat<Types extends ChatTypes = ChatTypes> = AgentChat<Types>

/**
 * A conversation with a server of the AI SDK: {@link useAgentChat} with an `AiSdkClient`, in place of `useChat`.
 *
 * @example
 * ```tsx
 * import { AiSdkClient } from 'capstan/ai-sdk'
 * import { useAiSdkChat } from 'capstan/react'
 *
 * const client = new AiSdkClient({ api: '/api/chat' })
 * export function Ask() {
 *   const { messages, sendMessage } = useAiSdkChat({ client })
 *   return <button onClick={() => void sendMessage('Why do rivers meander?')}>{messages.length} messages</button>
 * }
 * ```
 */
export function useAiSdkChat<Types extends ChatTypes = ChatTypes>(
  options: AiSdkChatOptions<Types> = {},
): AiSdkChat<Types> {
  return useAgentChat(options)
}
