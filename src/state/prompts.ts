import type { Prompt, PromptOutcome, PromptAnswer, PromptState } from '../seam/prompt.ts'
import { type Conversation, mapMessages, type ChatMessage, type MessagePart } from './turn.ts'
import type { AgentEvent } from '../seam/agent-event.ts'

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
    // A call that has waited for the answer continues in the message of that run: here it would wait for ever.
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

/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    state undecided {
        [*] --> open
        open --> staged: staged
        staged --> open: reopened
        open --> sending: sent
        staged --> sending: sent
        unconfirmed --> sending: sent
        sending --> unconfirmed: lost
        sending --> open: reopened
    }
    undecided --> answered: answered
    undecided --> declined: declined
    undecided --> cancelled: cancelled
    undecided --> answered-elsewhere: answered-elsewhere
    undecided --> expired: expired
    undecided --> withdrawn: withdrawn
*/

/** How a prompt ends. No end is left again, but as `confirmPrompt` says. */
type PromptEnding = 'answered' | 'declined' | 'cancelled' | 'answered-elsewhere' | 'expired' | 'withdrawn'

type UndecidedState = Exclude<PromptState, PromptEnding>

/**
 * `staged`: the user has answered, and other prompts of its group wait. `sent`: the answer goes out. `lost`: nobody knows whether it
 * arrived. `reopened`: the agent refused the answer, or the user takes it back before it is sent. The others are the ends.
 */
type PromptStep = 'staged' | 'sent' | 'lost' | 'reopened'

export type PromptInput = PromptStep | PromptEnding

/** State machine of a prompt: the steps from each state; what is not here changes nothing. Each of these states can end in every way. */
const STEPS: Readonly<Record<UndecidedState, Partial<Readonly<Record<PromptStep, UndecidedState>>>>> = {
  open: { staged: 'staged', sent: 'sending' },
  staged: { sent: 'sending', reopened: 'open' },
  sending: { lost: 'unconfirmed', reopened: 'open' },
  unconfirmed: { sent: 'sending' },
}

/** The state that follows. Pure. */
export function nextPromptState(state: PromptState, input: PromptInput): PromptState {
  if (!isUndecidedState(state)) return state
  return isStep(input) ? (STEPS[state][input] ?? state) : input
}

function isUndecidedState(state: PromptState): state is UndecidedState {
  return state in STEPS
}

function isStep(input: PromptInput): input is PromptStep {
  return input === 'staged' || input === 'sent' || input === 'lost' || input === 'reopened'
}

/** The prompt after an input; the same object when nothing changes. Pure. */
export function movePrompt(
  prompt: Prompt,
  input: PromptInput,
  brings: Partial<Pick<Prompt, 'answer' | 'answerId' | 'errors'>> = {},
): Prompt {
  const state = nextPromptState(prompt.state, input)
  return state === prompt.state ? prompt : { ...prompt, ...brings, state }
}

/**
 * The prompt whose answer the agent says it has taken. A run that ends by the answer may end before the agent says so: its prompt was
 * withdrawn meanwhile, and is answered all the same. Pure.
 */
export function confirmPrompt(prompt: Prompt, answerId: string, answer: PromptAnswer): Prompt {
  const state = endOf(answer)
  return prompt.state === 'withdrawn' && prompt.answerId === answerId ? { ...prompt, state } : movePrompt(prompt, state)
}

/**
 * A prompt, and how it has ended for another page. An end outlasts every step, and one that somebody gave outlasts a withdrawal, which
 * may only mean that the run ended before the page learned of it. Pure.
 */
export function mergeOutcome(prompt: Prompt, { state, answer, answerId }: PromptOutcome): Prompt {
  return rankOf(state) > rankOf(prompt.state) ? { ...prompt, state, answer, answerId, errors: undefined } : prompt
}

function rankOf(state: PromptState): number {
  if (isUndecidedState(state)) return 0
  return state === 'withdrawn' ? 1 : 2
}

/** Whether it still waits for the user, or for the agent to receive the answer. */
export function isUndecided({ state }: Prompt): boolean {
  return isUndecidedState(state)
}

/** How a prompt ends with this answer, once the agent has it. */
export function endOf(answer: PromptAnswer | undefined): 'answered' | 'declined' | 'cancelled' {
  if (answer?.type === 'decline') return 'declined'
  return answer?.type === 'cancel' ? 'cancelled' : 'answered'
}

/** What the agent says of a prompt that is known: the state it has here stays, unless it asks for something else now. Pure. */
export function askAgain(known: Prompt, asked: Prompt): Prompt {
  if (!isUndecided(known)) return known
  if (asked.state !== 'open' || asked.subject?.digest !== known.subject?.digest) return asked
  const { state, answerId, answer, errors } = known
  return { ...asked, state, answerId, answer, errors }
}

/** The prompt as its agent has settled it. An answer with another id than the one that was given here was given elsewhere. Pure. */
export function settlePrompt(known: Prompt, event: Extract<AgentEvent, { type: 'prompt-settled' }>): Prompt {
  const { state, answerId = known.answerId, answer = known.answer } = event
  const isOurs = answerId === known.answerId && known.answerId !== undefined
  const isGiven = state === 'answered' || state === 'declined' || state === 'cancelled'
  return movePrompt(known, isGiven && !isOurs ? 'answered-elsewhere' : state, { answerId, answer, errors: undefined })
}
