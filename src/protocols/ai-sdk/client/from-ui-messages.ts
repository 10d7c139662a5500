import type { AiSdkHandle } from '../handle.ts'
import { shownParts } from '../message-parts.ts'
import type { UiMessage } from '../messages.ts'
import type { HistoryMessage } from '../../../seam/chat-input.ts'

/** A message to begin a chat with. */
export interface InitialUiMessage extends HistoryMessage {
  readonly status: 'sent' | 'complete'
}

/**
 * The UIMessages of a server's store as messages to begin a chat with (`initialMessages`). They go back to the server unchanged.
 *
 * @param chatId the id of the conversation
 *
 * @example
 * ```tsx
 * import { fromUiMessages, type UiMessage } from 'capstan/ai-sdk'
 * import { useAgentChat } from 'capstan/react'
 *
 * export function Conversation({ id, stored }: { id: string; stored: readonly UiMessage[] }) {
 *   const { messages } = useAgentChat({ conversationId: id, initialMessages: fromUiMessages(id, stored) })
 *   return <p>{messages.length} messages</p>
 * }
 * ```
 */
export function fromUiMessages(chatId: string, messages: readonly UiMessage[]): InitialUiMessage[] {
  // Servers that make no ids store answers with empty ones: those are named after a message next to them.
  let beside = `before ${messages.find(({ id }) => id !== '')?.id}`
  let unnamed = 0
  return messages.map((message) => {
    const { role, parts } = message
    const id = message.id || `${beside} ${(unnamed += 1)}`
    if (message.id !== '') [beside, unnamed] = [`after ${id}`, 0]
    const handle: AiSdkHandle = { chatId, message }
    // The parts of a source or a text may be several, and one part may stand for several sources.
    const shown = new Map(
      parts.flatMap((part, index) =>
        role === 'user' && part.type === 'file'
          ? []
          : shownParts(parts, index, 0).map(({ partId, part: own }) => [partId, { ...own, id: partId }] as const),
      ),
    )
    const files = parts.flatMap(({ type, url = '', mediaType, filename }) =>
      role === 'user' && type === 'file' ? [{ id: url, name: filename ?? mediaType, mimeType: mediaType }] : [],
    )
    return {
      id,
      role,
      status: role === 'user' ? 'sent' : 'complete',
      parts: [...shown.values()],
      ...(files.length > 0 && { files }),
      handle,
    }
  })
}
