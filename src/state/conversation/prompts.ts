import type { Prompt, PromptOutcome } from '../../seam/prompt.ts'
import type { Conversation } from './conversation.ts'
import { mapMessages } from './map-messages.ts'
import type { ChatMessage, MessagePart } from './message.ts'
import { isUndecided, mergeOutcome } from './prompt-state.ts'

/** A prompt and the message it is part of. */
export interface AskedPrompt {
  readonly prompt: Prompt
  readonly message: ChatMessage
}

/** The prompts that are part of a message, in their order. */
export function promptsOf({ parts }: ChatMessage): readonly Prompt[] {
  return parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt] : []))
}

/** The newest prompt with that id. */
export function findPrompt(messages: readonly ChatMessage[], promptId: string): AskedPrompt | undefined {
  const message = messages.findLast(({ parts }) => parts.some(({ type, id }) => type === 'prompt' && id === promptId))
  const prompt = message && promptsOf(message).find(({ id }) => id === promptId)
  return prompt && message && { prompt, message }
}

/** What the user, or the agent, has not decided yet of the latest run: from its end to the last question of the user. */
export function undecidedPrompts(messages: readonly ChatMessage[]): readonly AskedPrompt[] {
  const last = messages.at(-1)
  if (last === undefined || last.role !== 'assistant') return []
  const first = messages.findLastIndex(({ role, requestId }) => role !== 'assistant' || requestId !== last.requestId)
  return messages
    .slice(first + 1)
    .flatMap((message) => promptsOf(message).flatMap((prompt) => (isUndecided(prompt) ? [{ prompt, message }] : [])))
}

/** Every prompt of the conversation, oldest first. */
export function allPrompts(messages: readonly ChatMessage[]): readonly AskedPrompt[] {
  return messages.flatMap((message) => promptsOf(message).map((prompt) => ({ prompt, message })))
}

/** Whether a run has prompts that are not decided. */
export function hasUndecided(messages: readonly ChatMessage[], requestId: string): boolean {
  return messages.some((message) => message.requestId === requestId && promptsOf(message).some(isUndecided))
}

/** Those that the latest run waits for: what it has asked while it runs, or what it has ended with, unless the user has stopped it. */
export function awaitedPrompts(messages: readonly ChatMessage[], isLive: boolean): readonly AskedPrompt[] {
  return undecidedPrompts(messages).filter(
    ({ prompt, message }) => isLive || (prompt.answeredBy === 'next-run' && message.status !== 'stopped'),
  )
}

/** Whether the user has something to do: an answer on its way is the agent's turn. */
export function isAwaitingInput(awaited: readonly AskedPrompt[]): boolean {
  return awaited.some(({ prompt }) => prompt.state !== 'sending')
}

/** The conversation with a changed prompt; the same one when nothing changes or there is no such prompt. */
export function changePrompt(
  conversation: Conversation,
  promptId: string,
  change: (prompt: Prompt) => Prompt,
): Conversation {
  const found = findPrompt(conversation.messages, promptId)
  if (found === undefined) return conversation
  return mapMessages(conversation, (message) =>
    message === found.message
      ? changePrompts(message, (prompt) => (prompt.id === promptId ? change(prompt) : prompt))
      : message,
  )
}

/** The message with changed prompts; the same one when none changes. */
export function changePrompts(message: ChatMessage, change: (prompt: Prompt) => Prompt): ChatMessage {
  let hasChanged = false
  const parts = message.parts.map((part): MessagePart => {
    if (part.type !== 'prompt') return part
    const prompt = change(part.prompt)
    if (prompt === part.prompt) return part
    hasChanged = true
    return { ...part, prompt }
  })
  return hasChanged ? { ...message, parts } : message
}

/** Messages in which prompts have ended as they had before, where they would be undecided again. */
export interface KeptOutcomes {
  readonly messages: readonly ChatMessage[]
  /** What was kept. Empty: the messages are the same. */
  readonly outcomes: readonly PromptOutcome[]
}

/** A prompt that has ended on this page does not open again because another page knows less of it. */
export function keepOutcomes(before: readonly ChatMessage[], messages: readonly ChatMessage[]): KeptOutcomes {
  const outcomes: PromptOutcome[] = []
  const kept = messages.map((message) => {
    if (!message.parts.some(({ type }) => type === 'prompt')) return message
    const shown = before.find(({ id }) => id === message.id)
    if (shown === undefined || shown === message) return message
    const known = new Map(promptsOf(shown).map((prompt) => [prompt.id, prompt]))
    return changePrompts(message, (prompt) => {
      const old = known.get(prompt.id)
      // A prompt that asks for something else now is another one.
      if (old === undefined || old.subject?.digest !== prompt.subject?.digest) return prompt
      const merged = mergeOutcome(prompt, old)
      if (merged !== prompt) outcomes.push({ id: old.id, state: old.state, answer: old.answer, answerId: old.answerId })
      return merged
    })
  })
  return { messages: outcomes.length === 0 ? messages : kept, outcomes }
}
