import type { ChatInstance, ChatMessage, Prompt } from '../../src/index.ts'

type Shown = Pick<ChatInstance, 'getSnapshot'>

/** The newest answer of a chat. */
export function answerOf(chat: Shown): ChatMessage {
  const answer = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
  if (answer === undefined) throw new Error('There is no answer.')
  return answer
}

/** The first prompt in the newest answer. */
export function promptOf(chat: Shown): Prompt {
  const prompt = answerOf(chat).parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt] : []))[0]
  if (prompt === undefined) throw new Error('There is no prompt.')
  return prompt
}
