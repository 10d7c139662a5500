import { isAgentError } from '../base/agent-error.ts'
import type { AgentErrorInit } from '../base/agent-error.ts'
import type { Prompt, PromptAnswer } from '../protocols/prompt.ts'
import { sendCommand } from '../session/send-command.ts'
import type { AnswerResult } from './answer-result.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatStore } from './chat-store.ts'
import type { PromptInput } from './conversation/prompt-state.ts'
import { confirmPrompt, endOf, isUndecided, movePrompt } from './conversation/prompt-state.ts'
import type { AskedPrompt } from './conversation/prompts.ts'
import { changePrompt, findPrompt, undecidedPrompts } from './conversation/prompts.ts'
import type { Publisher } from './publisher.ts'
import { whenEnded } from './run.ts'

/** The prompts of a chat: takes the answers of the user to the agent, each once. The states are in prompt-state.ts. */
export interface ChatPrompts {
  /** @param answerId the same whenever this answer is given again. Absent: a new one */
  answer(promptId: string, answer: PromptAnswer, answerId?: string): Promise<AnswerResult>
  /** Sends the answers that another page, or another tab, had begun to send. */
  sendBegun(): void
}

export interface ChatPromptsOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
  /** Begins the run that carries the staged answers. */
  sendStaged(requestId: string): void
}

export function createChatPrompts({ options, store, publisher, sendStaged }: ChatPromptsOptions): ChatPrompts {
  /** By answer id. */
  const sending = new Map<string, Promise<AnswerResult>>()

  function refuse(message: string, code: AgentErrorInit['code'] = 'invalid_request'): AnswerResult {
    const error = options.client().protocol.createError({ kind: 'protocol', code, severity: 'FATAL', message })
    return { status: 'refused', error }
  }

  function move(promptId: string, input: PromptInput, brings: Parameters<typeof movePrompt>[2] = {}): void {
    store.conversation = changePrompt(store.conversation, promptId, (prompt) => movePrompt(prompt, input, brings))
    publisher.flush()
  }

  /** Of a run that the user has stopped, nothing is written any more. */
  function confirm(promptId: string, answerId: string, answer: PromptAnswer): void {
    const { status } = findPrompt(store.conversation.messages, promptId)?.message ?? {}
    if (status === 'stopped') return move(promptId, endOf(answer))
    store.conversation = changePrompt(store.conversation, promptId, (prompt) => confirmPrompt(prompt, answerId, answer))
    publisher.flush()
  }

  async function send({ prompt, message }: AskedPrompt, answer: PromptAnswer, answerId: string): Promise<AnswerResult> {
    const { id: promptId } = prompt
    const requestId = message.requestId ?? ''
    const handle = store.run?.requestId === requestId ? store.run.resumePoint.handle : undefined
    move(promptId, 'sent', { answer, answerId, errors: undefined })
    try {
      const told = await sendCommand(options.client(), {
        type: 'answer',
        requestId,
        handle,
        promptId,
        answerId,
        answer,
      })
      switch (told.result) {
        case 'accepted':
          confirm(promptId, answerId, answer)
          return { status: 'accepted' }
        case 'too-late':
          void loseAtEnd(promptId, requestId)
          return { status: 'too-late' }
        case 'invalid':
          move(promptId, 'reopened', { errors: told.errors, answerId: undefined })
          return { status: 'invalid', errors: told.errors }
        case 'unsupported':
          move(promptId, 'reopened', { answerId: undefined })
          return refuse('This agent takes no answers while it runs: its server has no endpoint for them.')
      }
    } catch (error) {
      if (!isAgentError(error)) throw error
      // Of one that was sent before, by this page or another, it is still not known whether it arrived.
      if (!error.retryable && prompt.state !== 'unconfirmed' && prompt.state !== 'sending') {
        move(promptId, 'reopened', { answerId: undefined })
        return { status: 'refused', error }
      }
      move(promptId, 'lost')
      return { status: 'unconfirmed', error }
    }
  }

  /** How a prompt was settled comes with the events of its run. When the connection to it is given up before, nobody knows. */
  async function loseAtEnd(promptId: string, requestId: string): Promise<void> {
    const { run } = store
    if (run?.requestId === requestId) await whenEnded(run)
    move(promptId, 'lost')
  }

  /** Keeps the answer until every prompt of the run has one. */
  function stage(promptId: string, answer: PromptAnswer, answerId: string): AnswerResult {
    move(promptId, 'staged', { answer, answerId, errors: undefined })
    const asked = undecidedPrompts(store.conversation.messages)
    if (asked.some(({ prompt }) => prompt.state === 'open')) return { status: 'staged' }
    sendStaged(answerId)
    return { status: 'accepted' }
  }

  function sendOnce(asked: AskedPrompt, answer: PromptAnswer, answerId: string): Promise<AnswerResult> {
    const promise = sending.get(answerId) ?? send(asked, answer, answerId)
    sending.set(answerId, promise)
    const forget = (): void => void sending.delete(answerId)
    promise.then(forget, forget)
    return promise
  }

  return {
    async answer(promptId, answer, answerId = options.client().environment.uuid()) {
      const begun = sending.get(answerId)
      if (begun !== undefined) return begun
      const asked = findPrompt(store.conversation.messages, promptId)
      if (asked === undefined) return refuse(`There is no prompt with id ${JSON.stringify(promptId)}.`)
      const { prompt } = asked
      if (!isUndecided(prompt)) return { status: isTaken(prompt, answerId) ? 'accepted' : 'too-late' }
      if (prompt.state === 'sending') return refuse('Another answer to this prompt is on its way to the agent.', 'busy')
      const fault = faultOf(prompt, answer)
      if (fault !== undefined) return refuse(fault)
      // The same answer once more is the same consent: the agent must be able to tell.
      const id =
        prompt.state === 'unconfirmed' && isSame(prompt.answer, answer) ? (prompt.answerId ?? answerId) : answerId
      return prompt.answeredBy === 'next-run' ? stage(promptId, answer, id) : sendOnce(asked, answer, id)
    },
    sendBegun() {
      for (const asked of undecidedPrompts(store.conversation.messages)) {
        const { state, answeredBy, answer, answerId } = asked.prompt
        if (state === 'sending' && answeredBy === 'command' && answer && answerId !== undefined)
          void sendOnce(asked, answer, answerId)
      }
    },
  }
}

/** Whether the agent has this answer: one that was on its way when the prompt expired it has not. */
function isTaken({ state, answerId }: Prompt, given: string): boolean {
  return answerId === given && (state === 'answered' || state === 'declined' || state === 'cancelled')
}

/** Why an answer must not be sent: consent is a known option for exactly what was shown. */
function faultOf(prompt: Prompt, answer: PromptAnswer): string | undefined {
  if (answer.type === 'decline' || answer.type === 'cancel') return undefined
  if (prompt.kind === 'other') return 'This prompt is of a kind that is not known here: it can only be declined.'
  if (answer.type !== 'option') return undefined
  if (prompt.options?.some(({ id }) => id === answer.optionId) !== true)
    return `The prompt has no option ${JSON.stringify(answer.optionId)}.`
  return prompt.subject?.digest === answer.digest
    ? undefined
    : 'The agent asks for something else by now. Look at it again before you answer.'
}

function isSame(before: PromptAnswer | undefined, after: PromptAnswer): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
