import type { AgUiHandle } from '../../protocols/ag-ui/handle.ts'
import { readHandle } from '../../protocols/ag-ui/handle.ts'
import type { PageTool } from '../../protocols/ag-ui/presentation/interrupt-prompt.ts'
import {
  ALLOW,
  asksForConsent,
  consentPayload,
  PAGE_TOOL_REASON,
  promptIdOf,
} from '../../protocols/ag-ui/presentation/interrupt-prompt.ts'
import type { AgUiRequest, AgUiResume, AgUiRunInput } from '../../protocols/ag-ui/request.ts'
import type { AgUiInterrupt } from '../../protocols/ag-ui/schema/interrupt.ts'
import type { AgUiMessage } from '../../protocols/ag-ui/schema/message.ts'
import type { ChatInput, PromptReply } from '../../protocols/chat-input.ts'
import type { AgUiClientOptions, PerRun } from './ag-ui-client-options.ts'
import { asText, resultMessage, settled, toThread, userMessage } from './thread-messages.ts'

type RequestOptions = Pick<AgUiClientOptions, 'tools' | 'context' | 'state' | 'forwardedProps' | 'prepareInput'>

const DECLINED = 'The user declined.'
/** The outputs of a tool of the page may be anything, the arguments an object. */
const ANY_ARGUMENTS = { type: 'object', properties: {} }

/**
 * What a user said, the whole thread before it and the state, as AG-UI posts it. Every interrupt of the run before is answered: with
 * what the user said to it, else it is cancelled.
 */
export async function createAgUiRequest(input: ChatInput, options: RequestOptions): Promise<AgUiRequest> {
  const {
    text,
    files = [],
    conversationId: threadId,
    requestId: runId,
    history = [],
    answers = [],
    isRegeneration = false,
  } = input
  const last = history.at(-1)
  const before = last?.role === 'assistant' ? readHandle(last.handle) : undefined
  const isNew = answers.length === 0 && !isRegeneration && (text !== '' || files.length > 0)
  const asked = before?.interrupts ?? []
  // Something else is said in place of an answer: a call that nobody answers gets a result that says so, and is not gone on with.
  const interrupts = isNew ? asked.filter(({ toolCallId }) => toolCallId === undefined) : asked
  const replies = repliesTo(before, answers)
  const resume = interrupts.filter(({ via }) => via !== 'command').map((interrupt) => resumeOf(interrupt, replies))
  const command = interrupts.find(({ id, via }) => via === 'command' && replies.has(id))
  const waiting = new Set(interrupts.flatMap(({ toolCallId }) => toolCallId ?? []))
  const results = answers.flatMap((reply) => outputOf(reply, waiting))
  const known = new Map(results.map((result) => [result.toolCallId, result]))
  const thread = toThread(history).flatMap((message) => [
    message,
    ...(message.toolCalls ?? []).flatMap(({ id }) => known.get(id) ?? []),
  ])
  const messages = [
    ...settled(thread, (id) => waiting.has(id)),
    // The same id whenever this message is sent.
    ...(isNew ? [userMessage(`user-${runId}`, text, files)] : []),
  ]
  const body: AgUiRunInput = {
    threadId,
    runId,
    protocolVersion: '1.0',
    ...(before !== undefined && resume.length > 0 && { parentRunId: before.runId }),
    messages,
    state: await stateOf(input, options.state),
    tools: toolsOf(options.tools),
    context: (await resolve(options.context, input)) ?? [],
    forwardedProps: {
      ...(await resolve(options.forwardedProps, input)),
      ...(command && { command: { resume: valueOf(command, replies) } }),
    },
    ...(resume.length > 0 && { resume }),
  }
  const prepared = (await options.prepareInput?.(body, input)) ?? body
  return { body: prepared, answered: answeredCalls(answers) }
}

async function resolve<Value>(source: PerRun<Value> | undefined, input: ChatInput): Promise<Value | undefined> {
  // A state that is a function cannot be sent, so a function is one that is asked.
  return typeof source === 'function' ? (source as (input: ChatInput) => Value | Promise<Value>)(input) : source
}

/** What the agent has said of the state last, else what the app begins with. */
async function stateOf(input: ChatInput, initial: PerRun<unknown> | undefined): Promise<unknown> {
  const { history = [] } = input
  for (const { handle } of history.toReversed()) {
    const known = readHandle(handle)
    if (known !== undefined && 'state' in known) return known.state
  }
  return (await resolve(initial, input)) ?? {}
}

function toolsOf(tools: Readonly<Record<string, PageTool>> = {}): AgUiRunInput['tools'] {
  return Object.entries(tools).map(([name, { description, parameters = ANY_ARGUMENTS }]) => ({
    name,
    description,
    parameters,
  }))
}

/** The answers by the id of their interrupt. */
function repliesTo(before: AgUiHandle | undefined, answers: readonly PromptReply[]): ReadonlyMap<string, PromptReply> {
  const byPrompt = new Map(answers.map((reply) => [reply.prompt.id, reply]))
  return new Map(
    (before?.interrupts ?? []).flatMap(({ id }) => {
      const reply = byPrompt.get(promptIdOf(before?.runId ?? '', id))
      return reply === undefined ? [] : [[id, reply]]
    }),
  )
}

/** Consent is the known option for what was shown, and nothing else. */
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

/** What is said to an interrupt. Undefined: nothing. */
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
  return [resultMessage(id, '', (answer.type === 'decline' ? answer.reason : undefined) ?? DECLINED)]
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
