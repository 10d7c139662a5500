'use client'
import { useMemo } from 'react'
import type { ChatInstance } from '../state/chat.ts'
import type { ChatActions, SendOptions } from '../state/chat-actions.ts'
import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import type { OutgoingMessage } from '../state/conversation/message.ts'
import type { SendResult } from '../state/send-result.ts'
import type { RunEnd } from '../state/run-end.ts'
import type { ChatTypes, MetadataOf, TypedMessage } from '../state/conversation/typed-message.ts'
import type { ChatInstanceOptions } from './use-chat-instance.ts'
import { useChatInstance } from './use-chat-instance.ts'
import { useTracked } from './use-tracked.ts'

/** What {@link useAgentChat} takes; all are optional. */
export interface AgentChatOptions<Types extends ChatTypes = ChatTypes> extends Omit<
  ChatInstanceOptions,
  'initialMessages' | 'onFinish' | 'onEnd'
> {
  /** Messages to begin with; read once per conversation. @default [] */
  readonly initialMessages?: readonly TypedMessage<Types>[] | undefined
  /** An answer is complete. Absent: not told. */
  readonly onFinish?: ((message: TypedMessage<Types>) => void) | undefined
  /**
   * A run has ended, however it ended. Called once for each ending, after `onFinish` and `onError`. Absent: not told.
   */
  readonly onEnd?: ((end: Omit<RunEnd, 'message'> & { readonly message: TypedMessage<Types> }) => void) | undefined
}

/** A message to send, with the metadata of the app. */
export type TypedOutgoingMessage<Types extends ChatTypes> = Omit<OutgoingMessage, 'metadata'> & {
  readonly metadata?: MetadataOf<Types> | undefined
}

/** Snapshot, actions, and the chat itself to pass to `useChatSelector` or `<Chat chat={…}>`. */
export interface AgentChat<Types extends ChatTypes = ChatTypes>
  extends Omit<ChatSnapshot, 'messages'>, Omit<ChatActions, 'sendMessage' | 'edit'> {
  readonly chat: ChatInstance
  readonly messages: readonly TypedMessage<Types>[]
  /** As `sendMessage` of {@link ChatActions}, with the metadata of the app. */
  sendMessage(message: string | TypedOutgoingMessage<Types>, options?: SendOptions): Promise<SendResult>
  /** As `edit` of {@link ChatActions}, with the metadata of the app. */
  edit(messageId: string, message: string | TypedOutgoingMessage<Types>): Promise<SendResult>
}

/**
 * A conversation with an agent, whatever protocol its client speaks, with the names of the AI SDK's `useChat`. Renders
 * again only when a field that was read changes, at most once a frame. Actions never change identity; options are read
 * when they are used.
 *
 * `useAgentChat<{ metadata: …; tools: …; data: … }>()` gives messages the types of your agent. They are a claim of
 * yours: nothing is checked while the app runs.
 *
 * @example
 * ```tsx
 * import { textOf } from 'capstan'
 * import { useAgentChat } from 'capstan/react'
 *
 * export function Conversation() {
 *   const { messages, sendMessage } = useAgentChat()
 *   const answers = messages.map((message) => <p key={message.id}>{textOf(message)}</p>)
 *   return <section onClick={() => void sendMessage('Why do rivers meander?')}>{answers}</section>
 * }
 * ```
 */
export function useAgentChat<Types extends ChatTypes = ChatTypes>(
  options: AgentChatOptions<Types> = {},
): AgentChat<Types> {
  // What the app claims of its messages concerns types only: they are the same objects.
  const chat = useChatInstance(options as ChatInstanceOptions)
  const snapshot = useTracked(chat)
  return useMemo(() => {
    const {
      sendMessage,
      say,
      answer,
      changeLease,
      edit,
      regenerate,
      stop,
      disconnect,
      resume,
      retry,
      discard,
      prepend,
      clearError,
    } = chat
    const actions: Readonly<Record<keyof ChatActions, unknown>> & { readonly chat: ChatInstance } = {
      chat,
      sendMessage,
      say,
      answer,
      changeLease,
      edit,
      regenerate,
      stop,
      disconnect,
      resume,
      retry,
      discard,
      prepend,
      clearError,
    }
    // Descriptors, not values: copying the fields must not count as reading them. The messages have the types that the app claims.
    return Object.defineProperties(
      { ...actions },
      Object.getOwnPropertyDescriptors(snapshot),
    ) as unknown as AgentChat<Types>
  }, [chat, snapshot])
}
