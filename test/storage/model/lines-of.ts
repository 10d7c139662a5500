import type { ChatInstance } from '../../../src/state/chat.ts'
import { textOf } from '../../../src/state/turn.ts'
import { promptsOf } from '../../../src/state/prompts.ts'

/** What a chat shows, one line for each message. */
export function linesOf(chat: ChatInstance): readonly string[] {
  const { messages, queued } = chat.getSnapshot()
  return [
    ...messages.map((message) =>
      [message.role, message.status, textOf(message), ...promptsOf(message).map(({ state }) => state)]
        .join(' ')
        .trimEnd(),
    ),
    ...queued.map(({ message }) => `queued ${message.text}`),
  ]
}
