import type { PromptInput } from './prompt-state.ts'
import { endOf, isUndecided, movePrompt } from './prompt-state.ts'
import { changePrompts, promptsOf } from './prompts.ts'
import type { MessagePart } from './message.ts'
import type { Conversation } from './turn.ts'
import { mapMessages } from './turn.ts'

/** The agent has answered the request that carried the answers: it has them. */
export function markAnswered(conversation: Conversation): Conversation {
  return mapMessages(moveSending(conversation), (message) => {
    const waited = new Set(
      promptsOf(message).flatMap((prompt) =>
        prompt.answeredBy === 'next-run' && prompt.answer !== undefined && !isUndecided(prompt)
          ? (prompt.subject?.toolCallId ?? [])
          : [],
      ),
    )
    // A call that has waited for the answer goes on in the message of that run: here it would wait for ever.
    const isLeft = (part: MessagePart): boolean =>
      part.type === 'tool-call' && part.status === 'waiting' && waited.has(part.id)
    return message.parts.some(isLeft) ? { ...message, parts: message.parts.filter((part) => !isLeft(part)) } : message
  })
}

/**
 * The request that carried the answers failed before the agent answered: there is no answer to show.
 *
 * @param input `lost`: nobody knows whether the agent has them. `reopened`: they were never sent
 */
export function markUntaken(conversation: Conversation, requestId: string, input: 'lost' | 'reopened'): Conversation {
  const moved = moveSending(conversation, input)
  if (moved === conversation) return conversation
  return {
    turn: moved.turn,
    messages: moved.messages.filter((message) => message.requestId !== requestId || message.parts.length > 0),
  }
}

/** @param input absent: the end that the answer means */
function moveSending(conversation: Conversation, input?: PromptInput): Conversation {
  return mapMessages(conversation, (message) =>
    changePrompts(message, (prompt) =>
      prompt.answeredBy === 'next-run' && prompt.state === 'sending'
        ? movePrompt(prompt, input ?? endOf(prompt.answer), input === 'reopened' ? { answerId: undefined } : {})
        : prompt,
    ),
  )
}
