import { USER_DECLINED } from '../../../base/tool-failures.ts'
import type { AgUiHandle } from '../handle.ts'
import { ALLOW, asksForConsent, consentPayload, PAGE_TOOL_REASON, promptIdOf } from '../interrupt-prompt.ts'
import type { AgUiRequest, AgUiResume } from '../request.ts'
import type { AgUiInterrupt } from '../outcome.ts'
import type { AgUiMessage } from '../messages.ts'
import type { HistoryMessage, PromptReply } from '../../../seam/chat-input.ts'
import type { Prompt } from '../../../seam/prompt.ts'
import { asText, resultMessage } from './thread-messages.ts'

/** What the answers of the user are in a run. */
export interface Answers {
  readonly resume: readonly AgUiResume[]
  /** What goes to a server that wants its answer in `forwardedProps.command.resume`. */
  readonly command?: { readonly resume: unknown } | undefined
  /** Results of tools of the page. */
  readonly results: readonly AgUiMessage[]
  readonly answered: AgUiRequest['answered']
}

/** Answers every interrupt as `history` shows: with the user's answer, else as cancelled. */
export function answerInterrupts(
  before: AgUiHandle,
  interrupts: readonly AgUiInterrupt[],
  history: readonly HistoryMessage[],
): Answers {
  const answers = givenTo(before.runId, history)
  const replies = repliesTo(before, answers)
  const command = interrupts.find(({ id, via }) => via === 'command' && replies.has(id))
  const waiting = new Set(interrupts.flatMap(({ toolCallId }) => toolCallId ?? []))
  return {
    resume: interrupts.filter(({ via }) => via !== 'command').map((interrupt) => resumeOf(interrupt, replies)),
    ...(command && { command: { resume: valueOf(command, replies) } }),
    results: answers.flatMap((reply) => outputOf(reply, waiting)),
    answered: answeredCalls(answers),
  }
}

/** States in which the user has answered; of an answer that is not confirmed, nobody knows whether the server has it. */
const GIVEN: ReadonlySet<Prompt['state']> = new Set(['sending', 'unconfirmed', 'answered', 'declined', 'cancelled'])

/** What the user has answered to a run. It is read from the conversation, so that a run that is restored makes the same request. */
function givenTo(runId: string, history: readonly HistoryMessage[]): readonly PromptReply[] {
  return history.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'prompt' || part.prompt.streamId !== runId) return []
      const { prompt } = part
      const { answer, answerId = '', state } = prompt
      return answer !== undefined && GIVEN.has(state) ? [{ prompt, answer, answerId }] : []
    }),
  )
}

/** The answers by the id of their interrupt. */
function repliesTo(before: AgUiHandle, answers: readonly PromptReply[]): ReadonlyMap<string, PromptReply> {
  const byPrompt = new Map(answers.map((reply) => [reply.prompt.id, reply]))
  return new Map(
    (before.interrupts ?? []).flatMap(({ id }) => {
      const reply = byPrompt.get(promptIdOf(before.runId, id))
      return reply === undefined ? [] : [[id, reply]]
    }),
  )
}

/** Only the known option for the displayed subject is consent. */
function isConsent({ prompt, answer }: PromptReply): boolean {
  return answer.type === 'option' && answer.optionId === ALLOW && answer.digest === prompt.subject?.digest
}

function resumeOf(interrupt: AgUiInterrupt, replies: ReadonlyMap<string, PromptReply>): AgUiResume {
  const { id: interruptId } = interrupt
  const reply = replies.get(interruptId)
  const cancelled = { interruptId, status: 'cancelled' } as const
  if (reply === undefined || reply.answer.type === 'cancel') return cancelled
  const payload = valueOf(interrupt, replies)
  // A payload of null is not allowed: it is left out.
  return payload === undefined ? cancelled : { interruptId, status: 'resolved', ...(payload !== null && { payload }) }
}

/** The reply to an interrupt. Undefined: none. */
function valueOf(interrupt: AgUiInterrupt, replies: ReadonlyMap<string, PromptReply>): unknown {
  const reply = replies.get(interrupt.id)
  if (reply === undefined) return undefined
  const { answer } = reply
  if (answer.type === 'value') return answer.value
  if (interrupt.reason === PAGE_TOOL_REASON || !asksForConsent(interrupt)) return undefined
  const isAllowed = isConsent(reply)
  return consentPayload(interrupt, isAllowed, isAllowed && answer.type === 'option' ? answer.edits : undefined)
}

/** The result of a tool of the page, as the user or the app gave it. */
function outputOf({ prompt, answer }: PromptReply, waiting: ReadonlySet<string>): AgUiMessage[] {
  const id = prompt.subject?.toolCallId
  if (id === undefined || waiting.has(id)) return []
  if (answer.type === 'value') return [resultMessage(id, asText(answer.value))]
  return [resultMessage(id, '', (answer.type === 'decline' ? answer.reason : undefined) ?? USER_DECLINED)]
}

function answeredCalls(answers: readonly PromptReply[]): AgUiRequest['answered'] {
  return Object.fromEntries(
    answers.flatMap((reply) => {
      const id = reply.prompt.subject?.toolCallId
      const isAllowed = reply.answer.type === 'value' || isConsent(reply)
      return id === undefined ? [] : [[id, isAllowed ? 'allowed' : 'denied']]
    }),
  )
}
