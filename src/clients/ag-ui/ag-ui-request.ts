import { readHandle } from '../../protocols/ag-ui/handle.ts'
import type { PageTool } from '../../protocols/ag-ui/presentation/interrupt-prompt.ts'
import type { AgUiRequest, AgUiRunInput } from '../../protocols/ag-ui/request.ts'
import type { ChatInput, HistoryMessage, PromptReply } from '../../protocols/chat-input.ts'
import type { Prompt } from '../../protocols/prompt.ts'
import type { AgUiClientOptions, PerRun } from './ag-ui-client-options.ts'
import type { Answers } from './answers.ts'
import { settledThread, toThread, questionMessage } from './thread-messages.ts'

type RequestOptions = Pick<AgUiClientOptions, 'tools' | 'context' | 'state' | 'forwardedProps' | 'prepareInput'>

const NO_ANSWERS: Answers = { resume: [], results: [], answered: {} }
/** The outputs of a tool of the page may be anything, the arguments an object. */
const ANY_ARGUMENTS = { type: 'object', properties: {} }

/**
 * What a user said, the whole thread before it and the state, as AG-UI posts it. Every interrupt of the run before is answered: with
 * what the user said to it, else it is cancelled.
 */
export async function createAgUiRequest(input: ChatInput, options: RequestOptions): Promise<AgUiRequest> {
  const { text, files = [], conversationId: threadId, requestId: runId, history = [], isRegeneration = false } = input
  const last = history.at(-1)
  const before = last?.role === 'assistant' ? readHandle(last.handle) : undefined
  const isNew = !isRegeneration && (text !== '' || files.length > 0)
  const answers = isNew || before === undefined ? [] : givenTo(before.runId, history)
  const asked = before?.interrupts ?? []
  // Something else is said in place of an answer: a call that nobody answers gets a result that says so, and is not gone on with.
  const interrupts = isNew ? asked.filter(({ toolCallId }) => toolCallId === undefined) : asked
  const waiting = new Set(interrupts.flatMap(({ toolCallId }) => toolCallId ?? []))
  const isAnswering = interrupts.length > 0 || answers.length > 0
  // What answers is loaded with the first question.
  const { resume, command, results, answered } = isAnswering
    ? (await import('./answers.ts')).answerInterrupts(before, interrupts, answers)
    : NO_ANSWERS
  const known = new Map(results.map((result) => [result.toolCallId, result]))
  const hasFiles = [{ files }, ...history].some((message) => (message.files ?? []).length > 0)
  const filePart = hasFiles ? (await import('./file-parts.ts')).filePart : undefined
  const thread = toThread(history, filePart).flatMap((message) => [
    message,
    ...(message.toolCalls ?? []).flatMap(({ id }) => known.get(id) ?? []),
  ])
  const messages = [
    ...settledThread(thread, (id) => waiting.has(id)),
    // The same id whenever this message is sent.
    ...(isNew ? [questionMessage(`user-${runId}`, text, files, filePart)] : []),
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
      ...(command && { command }),
    },
    ...(resume.length > 0 && { resume }),
  }
  const prepared = (await options.prepareInput?.(body, input)) ?? body
  return { body: prepared, answered, results: isNew ? 0 : results.length }
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

async function resolve<Value>(source: PerRun<Value> | undefined, input: ChatInput): Promise<Value | undefined> {
  // What is sent cannot be a function.
  return typeof source === 'function' ? (source as (from: ChatInput) => Value | Promise<Value>)(input) : source
}

/** What the agent has said of the state last, else what the app begins with. */
async function stateOf(input: ChatInput, initial: unknown): Promise<unknown> {
  const { history = [] } = input
  for (const { handle } of history.toReversed()) {
    const known = readHandle(handle)
    if (known !== undefined && 'state' in known) return known.state
  }
  // A state cannot be a function.
  return (typeof initial === 'function' ? await (initial as (from: ChatInput) => unknown)(input) : initial) ?? {}
}

function toolsOf(tools: Readonly<Record<string, PageTool>> = {}): AgUiRunInput['tools'] {
  return Object.entries(tools).map(([name, { description, parameters = ANY_ARGUMENTS }]) => ({
    name,
    description,
    parameters,
  }))
}
