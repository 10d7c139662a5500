'use client'
import { useMemo } from 'react'
import type { A2AClient } from '../client/a2a-client.ts'
import { readHandle } from '../handle.ts'
import type { ChatSnapshot } from '../../../state/chat-snapshot.ts'
import type { ChatTypes } from '../../../state/turn.ts'
import type { AgentChat, AgentChatOptions } from '../../../react/use-agent-chat.ts'
import { useAgentChat } from '../../../react/use-agent-chat.ts'
import { useChatSelector } from '../../../react/chat-context.ts'
import { useA2AClient } from './use-a2a-client.ts'

/** What {@link useA2AChat} takes; all are optional. */
export interface A2AChatOptions<Types extends ChatTypes = ChatTypes> extends Omit<AgentChatOptions<Types>, 'client'> {
  /** Another client than the provider's. @default the provider's */
  readonly client?: A2AClient | undefined
  /** Which conversation to show. Another id shows another chat. @default `contextId`; without one, a new conversation */
  readonly conversationId?: string | undefined
  /**
   * A context of the agent that the conversation joins, as the agent named it. Its earlier messages are not fetched. Absent: the
   * agent makes one.
   */
  readonly contextId?: string | undefined
}

/** What {@link useA2AChat} returns: a chat, and what the agent calls it. */
export interface A2AChat<Types extends ChatTypes = ChatTypes> extends AgentChat<Types> {
  /** The context that the next message goes to. Undefined until the agent has named one, when the first answer ends. */
  readonly contextId: string | undefined
  /** The task of the last answer that has ended. Undefined: there was none, or the agent answered with a message. */
  readonly taskId: string | undefined
}

/**
 * A conversation of many turns with an A2A agent: `useAgentChat`, and the context and the task that the agent knows it by. With a
 * `contextId` it continues in a context that is there.
 *
 * @example
 * ```tsx
 * import { textOf } from 'capstan'
 * import { useA2AChat } from 'capstan/react'
 *
 * export function Ask({ contextId }: { contextId?: string }) {
 *   const { messages, sendMessage } = useA2AChat({ contextId })
 *   const answers = messages.map((message) => <p key={message.id}>{textOf(message)}</p>)
 *   return <section onClick={() => void sendMessage('Why do rivers meander?')}>{answers}</section>
 * }
 * ```
 */
export function useA2AChat<Types extends ChatTypes = ChatTypes>(options: A2AChatOptions<Types> = {}): A2AChat<Types> {
  const { client: given, contextId: joined, conversationId = joined, ...others } = options
  const own = useA2AClient(given, 'useA2AChat')
  const client = useMemo(() => (joined === undefined ? own : own.inContext(joined)), [own, joined])
  const agentChat = useAgentChat<Types>({ ...others, client, conversationId })
  const contextId = useChatSelector(selectContext, { chat: agentChat.chat }) ?? joined
  const taskId = useChatSelector(selectTask, { chat: agentChat.chat })
  return useMemo(
    () =>
      // Descriptors, not values: copying the fields must not count as reading them.
      Object.defineProperties({ contextId, taskId }, Object.getOwnPropertyDescriptors(agentChat)) as A2AChat<Types>,
    [agentChat, contextId, taskId],
  )
}

function selectContext({ messages }: ChatSnapshot): string | undefined {
  return readHandle(messages.findLast(({ handle }) => handle !== undefined)?.handle).contextId
}

function selectTask({ messages }: ChatSnapshot): string | undefined {
  return readHandle(messages.findLast(({ handle }) => handle !== undefined)?.handle).taskId
}
