import { isAgentError } from '../base/agent-error.ts'
import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { CommandResult } from '../seam/command.ts'
import type { Prompt, PromptAnswer } from '../seam/prompt.ts'
import { UNCONFIRMED } from '../session/connection-errors.ts'
import { sendCommand } from '../session/send-command.ts'
import type { AnswerResult } from './answer-result.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatStore } from './chat-store.ts'
import { handleFor } from './chat-store.ts'
import type { PromptInput } from './conversation/prompt-state.ts'
import { confirmPrompt, isUndecided, movePrompt, settlePrompt } from './conversation/prompt-state.ts'
import type { AskedPrompt } from './conversation/prompts.ts'
import { allPrompts, changePrompt, findPrompt, undecidedPrompts } from './conversation/prompts.ts'
import type { Publisher } from './publisher.ts'
import { isUnderWay, whenEnded } from './run.ts'

type Refused = Extract<AnswerResult, { readonly status: 'refused' }>

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

  const createError = (init: AgentErrorInit): AgentError => options.client().protocol.createError(init)

  const refuse = (message: string, code: AgentErrorInit['code'] = 'invalid_request'): Refused => ({
    status: 'refused',
    error: createError({ kind: 'protocol', code, severity: 'FATAL', message }),
  })

  function change(promptId: string, next: (prompt: Prompt) => Prompt): void {
    store.conversation = changePrompt(store.conversation, promptId, next)
    publisher.flush()
  }

  const move = (promptId: string, input: PromptInput, brings: Parameters<typeof movePrompt>[2] = {}): void =>
    change(promptId, (prompt) => movePrompt(prompt, input, brings))

  /** Asks the user again. A run that has ended, and cannot be resumed, no longer waits for an answer. */
  function reopen(promptId: string, { errors }: Pick<Prompt, 'errors'> = {}): void {
    const status = findPrompt(store.conversation.messages, promptId)?.message.status
    const isEnded = status === 'complete' || status === 'stopped' || status === 'failed'
    move(promptId, isEnded ? 'withdrawn' : 'reopened', { errors, answerId: undefined })
  }

  /** Whether the agent has ended the run of a prompt: it had reported every answer that it took. */
  function isEndedByAgent(promptId: string): boolean {
    const { requestId, status } = findPrompt(store.conversation.messages, promptId)?.message ?? {}
    return status === 'complete' || (store.run?.requestId === requestId && store.run?.isEndedByAgent === true)
  }

  async function send({ prompt, message }: AskedPrompt, answer: PromptAnswer, answerId: string): Promise<AnswerResult> {
    const { id: promptId } = prompt
    const requestId = message.requestId ?? ''
    // Of one that was sent before, by this page or another, it is not known whether it arrived.
    const isRepeated = (prompt.state === 'unconfirmed' || prompt.state === 'sending') && prompt.answerId !== undefined
    move(promptId, 'sent', { answer, answerId, errors: undefined })
    // A subscriber may have stopped the run: then nothing of it was sent.
    const shown = findPrompt(store.conversation.messages, promptId)
    if (shown?.prompt.state !== 'sending') return { status: 'too-late' }
    if (shown.message.status === 'stopped' && message.status !== 'stopped') {
      move(promptId, isRepeated ? 'lost' : 'withdrawn')
      return { status: 'too-late' }
    }
    const lose = (error: AgentError): AnswerResult => {
      move(promptId, isEndedByAgent(promptId) ? 'withdrawn' : 'lost')
      // The events of the run may have reported it.
      const known = findPrompt(store.conversation.messages, promptId)?.prompt
      return known === undefined || isUndecided(known) ? { status: 'unconfirmed', error } : endedAs(known, answerId)
    }
    try {
      const told = await sendCommand(options.client(), {
        type: 'answer',
        requestId,
        handle: handleFor(store, requestId),
        promptId,
        answerId,
        answer,
      })
      switch (told.result) {
        case 'accepted':
          change(promptId, (known) => confirmPrompt(known, answerId, answer))
          return { status: 'accepted' }
        case 'too-late': {
          if (isRepeated && told.end === undefined) {
            await whenTold(promptId, requestId)
            return lose(createError(UNCONFIRMED))
          }
          void settleAtEnd(promptId, requestId, told)
          return { status: 'too-late' }
        }
        case 'invalid':
          reopen(promptId, { errors: told.errors })
          return { status: 'invalid', errors: told.errors }
        case 'unsupported': {
          const refused = refuse('Nothing was sent: the agent has announced no endpoint for answers to this run.')
          if (isRepeated) return lose(refused.error)
          reopen(promptId)
          return refused
        }
      }
    } catch (error) {
      if (!isAgentError(error)) throw error
      if (error.retryable || isRepeated) return lose(error)
      reopen(promptId)
      return { status: 'refused', error }
    }
  }

  /** Resolves when the events of a run have told how its prompt was settled, or have ended. */
  async function whenTold(promptId: string, requestId: string): Promise<void> {
    const isAwaited = (): boolean => {
      const asked = findPrompt(store.conversation.messages, promptId)
      return (
        asked !== undefined && isUndecided(asked.prompt) && isUnderWay(store.run) && store.run.requestId === requestId
      )
    }
    if (!isAwaited()) return
    await new Promise<void>((resolve) => {
      const leave = publisher.subscribe(() => {
        if (isAwaited()) return
        leave()
        resolve()
      })
    })
  }

  /** How a prompt was settled comes with the events of its run, and where they do not come, from the reply to the answer. */
  async function settleAtEnd(
    promptId: string,
    requestId: string,
    { end, answerId }: Extract<CommandResult, { readonly result: 'too-late' }>,
  ): Promise<void> {
    const { run } = store
    if (run?.requestId === requestId) await whenEnded(run)
    const asked = findPrompt(store.conversation.messages, promptId)
    if (end !== undefined)
      return change(promptId, (known) =>
        settlePrompt(known, { type: 'prompt-settled', streamId: known.streamId, promptId, state: end, answerId }),
      )
    // The events of a run that can be resumed are still to come. A first answer has not been taken, so another one is a first one too.
    if (asked?.message.status === 'incomplete' && store.run?.requestId === requestId)
      move(promptId, 'lost', { answerId: undefined })
    else move(promptId, 'withdrawn')
  }

  /** Keeps the answer until every prompt of the run has one. */
  async function stage({ prompt }: AskedPrompt, answer: PromptAnswer, answerId: string): Promise<AnswerResult> {
    const { id: promptId, state } = prompt
    const awaited = (): readonly Prompt[] => undecidedPrompts(store.conversation.messages).map((asked) => asked.prompt)
    const isAwaited = (): boolean => awaited().some(({ id }) => id === promptId)
    // Another tab had begun to send it.
    if (state === 'sending') return whenTaken(promptId, answerId)
    // The conversation was continued without an answer.
    if (!isAwaited()) return { status: 'too-late' }
    change(promptId, (known) => {
      const given = { answer, answerId, errors: undefined }
      return known.state === 'unconfirmed' ? { ...known, ...given } : movePrompt(known, 'staged', given)
    })
    // A subscriber may have stopped the run.
    if (!isAwaited()) return { status: 'too-late' }
    if (awaited().some((other) => other.state === 'open')) return { status: 'staged' }
    // Only its end makes a run one that the next can answer.
    if (isUnderWay(store.run)) {
      await whenEnded(store.run)
      if (awaited().some((other) => other.state === 'open')) return { status: 'staged' }
    }
    // It may have ended otherwise, and another answer that waited for it may have been the first.
    if (isAwaited() && !isUnderWay(store.run)) sendStaged(answerId)
    return whenTaken(promptId, answerId)
  }

  /** What becomes of an answer that a run carries: the agent has it when it answers the request. */
  async function whenTaken(promptId: string, answerId: string): Promise<AnswerResult> {
    const shown = (): Prompt | undefined => findPrompt(store.conversation.messages, promptId)?.prompt
    if (isUnderWay(store.run) && shown()?.state === 'sending')
      await new Promise<void>((resolve) => {
        const leave = publisher.subscribe(() => {
          if (shown()?.state === 'sending') return
          leave()
          resolve()
        })
      })
    const known = shown()
    if (known !== undefined && !isUndecided(known)) return endedAs(known, answerId)
    if (known?.state === 'open')
      return store.error === undefined ? refuse(STOPPED_FIRST) : { status: 'refused', error: store.error }
    return { status: 'unconfirmed', error: store.error ?? createError(UNCONFIRMED) }
  }

  function sendOnce(asked: AskedPrompt, answer: PromptAnswer, answerId: string): Promise<AnswerResult> {
    const give = asked.prompt.answeredBy === 'next-run' ? stage : send
    const promise = sending.get(answerId) ?? give(asked, answer, answerId)
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
      if (!isUndecided(prompt)) return endedAs(prompt, answerId)
      if (prompt.state === 'sending' && prompt.answerId !== answerId)
        return refuse('Another answer to this prompt is on its way to the agent.', 'busy')
      const fault = faultOf(prompt, answer)
      if (fault !== undefined) return refuse(fault)
      // The same answer once more is the same consent: the agent must be able to tell.
      const id =
        prompt.state === 'unconfirmed' && isSame(prompt.answer, answer) ? (prompt.answerId ?? answerId) : answerId
      return sendOnce(asked, answer, id)
    },
    sendBegun() {
      for (const asked of allPrompts(store.conversation.messages)) {
        const { state, answeredBy, answer, answerId } = asked.prompt
        if (state === 'sending' && answeredBy === 'command' && answer && answerId !== undefined)
          void sendOnce(asked, answer, answerId)
      }
    },
  }
}

const STOPPED_FIRST = 'Nothing was sent: the run was stopped before.'

/** The result of an answer to a prompt that has ended: the agent has it, unless the prompt expired while it was on its way. */
function endedAs({ state, answerId, answer }: Prompt, given: string): AnswerResult {
  // A stop cancels a prompt as well, and its answer is not taken then.
  const isCancelled = state === 'cancelled' && answer?.type === 'cancel'
  const isTaken = answerId === given && (state === 'answered' || state === 'declined' || isCancelled)
  return { status: isTaken ? 'accepted' : 'too-late' }
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
