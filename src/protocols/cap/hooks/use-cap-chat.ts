'use client'
import type { ChatTypes } from '../../../state/turn.ts'
import type { AgentChat, AgentChatOptions } from '../../../react/use-agent-chat.ts'
import { useAgentChat } from '../../../react/use-agent-chat.ts'

/** What {@link useCapChat} takes; all are optional. */
export type CapChatOptions<Types extends ChatTypes = ChatTypes> = AgentChatOptions<Types>

/** What {@link useCapChat} returns. */
export type CapChat<Types extends ChatTypes = ChatTypes> = AgentChat<Types>

/**
 * A conversation with a CAP agent: {@link useAgentChat} under the name of the protocol.
 *
 * @example
 * ```tsx
 * import { useCapChat } from 'capstan/react'
 *
 * export function Ask({ conversationId }: { conversationId: string }) {
 *   const { messages, sendMessage, status } = useCapChat({ conversationId })
 *   const isRunning = status !== 'ready' && status !== 'error'
 *   return (
 *     <button disabled={isRunning} onClick={() => void sendMessage('Why do rivers meander?')}>
 *       Ask, after {messages.length} messages
 *     </button>
 *   )
 * }
 * ```
 */
export function useCapChat<Types extends ChatTypes = ChatTypes>(options: CapChatOptions<Types> = {}): CapChat<Types> {
  return useAgentChat(options)
}
