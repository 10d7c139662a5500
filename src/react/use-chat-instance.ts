'use client'
import { useContext, useEffect, useState } from 'react'
import { assertSettled } from '../base/assert-settled.ts'
import { isDevelopment } from '../base/development.ts'
import type { AgentClient } from '../session/agent-client.ts'
import { createChatRegistry } from '../state/chat-registry.ts'
import type { ChatInstance } from '../state/chat.ts'
import type { ChatCallbacks, ChatMaker } from '../state/chat-options.ts'
import type { ChatMessage } from '../state/conversation/message.ts'
import { AgentContext } from './agent-context.ts'
import { missingClient } from './missing-client.ts'
import { useLatest } from './use-latest.ts'
import { useSteadyId } from './use-steady-id.ts'
import { useSteadyOption } from './use-steady-option.ts'

export interface ChatInstanceOptions extends ChatCallbacks {
  /** Another client than the provider's. @default the provider's */
  readonly client?: AgentClient | undefined
  /** Which conversation to show. CAP wants a UUID. Another id shows another chat. @default a new one */
  readonly conversationId?: string | undefined
  /** Messages to begin with, each with an id of its own; read once per conversation. @default [] */
  readonly initialMessages?: readonly ChatMessage[] | undefined
  /** Keeps the conversation beyond the page; read once per conversation. @default the provider's */
  readonly store?: ChatMaker | undefined
}

/**
 * The chat of a conversation, whatever protocol its client speaks. Does not re-render: read it with `useChatSelector`.
 *
 * @example
 * ```tsx
 * import { MessageList } from 'capstan/components'
 * import { ChatContext, useChatInstance } from 'capstan/react'
 *
 * export function Transcript({ id }: { id: string }) {
 *   const chat = useChatInstance({ conversationId: id })
 *   return <ChatContext.Provider value={chat}><MessageList /></ChatContext.Provider>
 * }
 * ```
 */
export function useChatInstance(options: ChatInstanceOptions = {}): ChatInstance {
  const provided = useContext(AgentContext)
  const [ownRegistry] = useState(createChatRegistry)
  const client = options.client ?? provided?.client
  if (client === undefined) throw missingClient('the hook')
  assertSettled('client', client)
  const registry = provided?.registry ?? ownRegistry
  const [newId] = useState(() => client.environment.uuid())
  useSteadyId(options.conversationId)
  useSteadyOption('client', options.client)
  useSteadyOption('store', options.store)
  const conversationId = options.conversationId ?? newId
  const fault = isDevelopment() ? client.protocol.conversationIdFault?.(conversationId) : undefined
  if (fault !== undefined)
    throw client.protocol.createError({ kind: 'protocol', code: 'invalid_request', severity: 'FATAL', message: fault })
  const chat = registry.obtain({
    conversationId,
    client,
    initialMessages: options.initialMessages,
    store: options.store ?? provided?.store,
  })
  const latest = useLatest({ client, callbacks: options })
  useEffect(() => registry.retain(chat, () => latest.current), [registry, chat, latest])
  return chat
}
