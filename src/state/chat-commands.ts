import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'
import type { AgentPart } from '../seam/agent-event.ts'
import type { CommandResult } from '../seam/command.ts'
import type { LeaseChange } from '../seam/lease.ts'
import type { Prompt, PromptAnswer } from '../seam/prompt.ts'
import { UNCONFIRMED } from '../session/connection.ts'
import { sendCommand } from '../session/send-command.ts'
import type { AnswerResult, LeaseResult, ChatOptions } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import { type ChatStore, handleFor, type Publisher } from './chat-store.ts'
import { applyEvent } from './conversation.ts'
import { findLease, markRevoked, isOver, isUnderWay, whenEnded } from './run.ts'
import { type MessagePart, mapMessages } from './turn.ts'
import {
  type PromptInput,
  confirmPrompt,
  isUndecided,
  movePrompt,
  settlePrompt,
  type AskedPrompt,
  allPrompts,
  changePrompt,
  findPrompt,
  undecidedPrompts,
} from './prompts.ts'

export interface ChatCommandsOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
  /** Begins the run that carries the staged answers. */
  sendStaged(requestId: string): void
}

/** What a user says to a run that has begun. */
export type ChatCommands = ChatPrompts & { readonly say: ChatSay; readonly changeLease: ChangeLease }

/** Loaded when a chat needs it first, see load-commands.ts. */
export function createChatCommands(options: ChatCommandsOptions): ChatCommands {
  return { ...createChatPrompts(options), say: createChatSay(options), changeLease: createChangeLease(options) }
}

type Refused = Extract<AnswerResult, { readonly status: 'refused' }>

function refusal({ client }: ChatOptions, message: string, code: AgentErrorInit['code'] = 'invalid_request'): Refused {
  return {
    status: 'refused',
    error: client().protocol.createError({ kind: 'protocol', code, severity: 'FATAL', message }),
  }
}

/** The prompts of a chat: takes the answers of the user to the agent, each once. The states are in prompt-state.ts. */
interface ChatPrompts {
  /** @param answerId the same whenever this answer is given again. Absent: a new one */
  answer(promptId: string, answer: PromptAnswer, answerId?: string): Promise<AnswerResult>
  /** Sends the answers that another page, or another tab, had begun to send. */
  sendBegun(): void
}

function createChatPrompts(commandOptions: ChatCommandsOptions): ChatPrompts {
  const { options, store, publisher, sendStaged } = commandOptions
  /** By answer id. */
  const sending = new Map<string, Promise<AnswerResult>>()

  const createError = (init: AgentErrorInit): AgentError => options.client().protocol.createError(init)

  const refuse = (message: string, code?: AgentErrorInit['code']): Refused => refusal(options, message, code)

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

  /** Resolves when the events of a run settle its prompt, or end. */
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

/** Resolves with whether a running answer accepted it. */
type ChatSay = (text: string, messageId: string) => Promise<boolean>

type Said = Extract<AgentPart, { readonly type: 'said' }>

/**
 * Sends a message into the running answer (steering), which shows it at that place. Resolves with false when no answer
 * can accept it, or the agent has no such command: then it is not shown, and can be sent as a normal message.
 */
function createChatSay({ options, store, publisher }: ChatCommandsOptions): ChatSay {
  function show(streamId: string, messageId: string, part: Said): void {
    const event = { type: 'part', streamId, partId: messageId, part } as const
    store.conversation = applyEvent(store.conversation, event, options.client().environment.clock.date())
    publisher.flush()
  }

  /** What the answer to the command reports a message that is on its way; undefined takes it out. */
  function settle(messageId: string, status: 'sent' | 'not-sent' | undefined): void {
    store.conversation = mapMessages(store.conversation, (message) => {
      if (!message.parts.some((part) => isSaid(part, messageId) && part.status === 'sending')) return message
      const told = (part: MessagePart): readonly MessagePart[] => {
        if (!isSaid(part, messageId)) return [part]
        return status === undefined ? [] : [{ ...part, status }]
      }
      return { ...message, parts: message.parts.flatMap(told) }
    })
    publisher.flush()
  }

  /** The events of the run may be faster than the answer to the command, and arrive where that is lost. */
  function isHeard(messageId: string): boolean {
    return store.conversation.messages.some(({ parts }) =>
      parts.some((part) => isSaid(part, messageId) && part.status === 'sent'),
    )
  }

  return async (text, messageId) => {
    const { run, conversation } = store
    const streamId = [...(conversation.turn?.streams.keys() ?? [])].at(-1)
    if (!isUnderWay(run) || streamId === undefined) return false
    const { requestId, resumePoint } = run
    const client = options.client()
    if (client.protocol.act === undefined) return false
    show(streamId, messageId, { type: 'said', text, status: 'sending' })
    if (isOver(run)) {
      // A subscriber has stopped the run.
      settle(messageId, 'not-sent')
      return true
    }
    try {
      const { result } = await sendCommand(client, {
        type: 'say',
        requestId,
        handle: resumePoint.handle,
        messageId,
        text,
      })
      settle(messageId, result === 'accepted' ? 'sent' : undefined)
      return result === 'accepted' || isHeard(messageId)
    } catch {
      // It may have arrived, so it must not be sent again automatically.
      settle(messageId, 'not-sent')
      return true
    }
  }
}

function isSaid(part: MessagePart, messageId: string): part is Extract<MessagePart, { readonly type: 'said' }> {
  return part.type === 'said' && part.id === messageId
}

/** @param changeId the same whenever this change is asked for again: the agent makes it once. Absent: a new one */
type ChangeLease = (leaseId: string, change: LeaseChange, changeId?: string) => Promise<LeaseResult>

/**
 * Asks the agent for a change of a lease. Whether the lease is extended is reported by the agent's events only; a lease that the agent has agreed
 * to revoke is revoked here at once.
 */
function createChangeLease({ options, store, publisher }: ChatCommandsOptions): ChangeLease {
  return async (leaseId, change, changeId = options.client().environment.uuid()) => {
    const granted = findLease(store.conversation.messages, leaseId)
    if (granted === undefined) return refusal(options, `There is no lease with id ${JSON.stringify(leaseId)}.`)
    const { lease, message } = granted
    if (lease.state !== 'active') return { status: 'too-late' }
    if (change.type === 'extend' && !(Number.isFinite(change.ms) && change.ms > 0))
      return refusal(options, 'A lease is extended by a number of milliseconds above zero.')
    const { requestId = '' } = message
    try {
      const told = await sendCommand(options.client(), {
        type: 'lease',
        requestId,
        handle: handleFor(store, requestId),
        leaseId,
        changeId,
        change,
      })
      switch (told.result) {
        case 'accepted':
          if (change.type === 'revoke') {
            store.conversation = markRevoked(store.conversation, leaseId)
            publisher.flush()
          }
          return { status: 'accepted' }
        case 'too-late':
          return { status: 'too-late' }
        case 'invalid':
          return { status: 'invalid', errors: told.errors }
        case 'unsupported':
          return refusal(options, 'This agent does not let its leases be changed.')
      }
    } catch (error) {
      if (!isAgentError(error)) throw error
      return error.retryable ? { status: 'unconfirmed', error } : { status: 'refused', error }
    }
  }
}
