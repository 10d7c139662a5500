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
import type { AgentEvent } from '../../seam/agent-event.ts'
import type { Prompt, PromptOutcome, PromptAnswer, PromptState } from '../../seam/prompt.ts'

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

/** The prompt after an input, with what the input brings; the same one when nothing changes. Pure. */
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

/** Whether it still waits for the user, or for the agent to hear what the user said. */
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
