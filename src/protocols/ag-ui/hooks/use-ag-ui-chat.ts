'use client'
import type { AgUiRequest } from '../request.ts'
import type { AgUiEvent } from '../events.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import type { ChatTypes } from '../../../state/message.ts'
import type { AgentChat, AgentChatOptions } from '../../../react/use-agent-chat.ts'
import { useAgentChat } from '../../../react/use-agent-chat.ts'

/** What {@link useAgUiChat} takes; all are optional. */
export interface AgUiChatOptions<Types extends ChatTypes = ChatTypes> extends Omit<AgentChatOptions<Types>, 'client'> {
  /** An `AgUiClient`. @default the provider's client */
  readonly client?: AgentClient<AgUiRequest, AgUiEvent> | undefined
}

/** What {@link useAgUiChat} returns. */
export type AgUiChat<Types extends ChatTypes = ChatTypes> = AgentChat<Types>

/**
 * A conversation with an agent that speaks AG-UI: {@link useAgentChat} with an `AgUiClient`.
 *
 * @example
 * ```tsx
 * import { AgUiClient } from 'capstan/ag-ui'
 * import { useAgUiChat } from 'capstan/react'
 *
 * const client = new AgUiClient({ url: '/api/agent' })
 * export function Ask() {
 *   const { messages, sendMessage } = useAgUiChat({ client })
 *   return <button onClick={() => void sendMessage('Why do rivers meander?')}>{messages.length} messages</button>
 * }
 * ```
 */
export function useAgUiChat<Types extends ChatTypes = ChatTypes>(
  options: AgUiChatOptions<Types> = {},
): AgUiChat<Types> {
  return useAgentChat(options)
}
