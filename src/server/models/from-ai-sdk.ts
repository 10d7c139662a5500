import { isJsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { modelAborted, modelError } from './model-error.ts'
import { createModelOutput, DENIED, type ModelOutput, type ModelRun } from './model-output.ts'

/** What is needed of the result of `streamText`, in version 5, 6 and 7 of the AI SDK. */
export interface AiSdkResult {
  readonly fullStream: AsyncIterable<object>
  /** What to tell the model before it goes on. */
  readonly response: PromiseLike<{ readonly messages: readonly object[] }>
}

/** How an answer of the AI SDK ended. */
export interface AiSdkEnd {
  /** Tokens, as the SDK counts them, of the last call of `streamText`. */
  readonly usage: unknown
  /** What the model and its tools have said, for `messages` of a later call. */
  readonly messages: readonly object[]
}

type Part = Readonly<Record<string, unknown>>

/**
 * Says what `streamText` of the AI SDK streams: text, reasoning, tools, sources and files. Throws what the SDK reports, and for
 * every end but a whole answer, so that a model that fails, is aborted, is cut off or reaches a limit is never a complete one.
 *
 * A tool that needs approval asks the user by `run.ask`. The SDK ends its stream for that, so give a function instead of a result: it is
 * called again with the messages to add when the user has answered.
 *
 * @example
 * ```ts
 * import { chatMessages, createAgentHandler } from 'capstan/server'
 * import { fromAiSdk } from 'capstan/server/ai-sdk'
 * import { streamText, type LanguageModel, type ModelMessage } from 'ai'
 *
 * declare const model: LanguageModel
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages: ModelMessage[] = await chatMessages(run)
 *     yield* fromAiSdk(streamText({ model, messages, abortSignal: run.signal }), run)
 *   },
 * })
 * ```
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the app's function says which type of the SDK it wants
export async function* fromAiSdk<Message extends object>(
  source: AiSdkResult | ((added: Message[]) => AiSdkResult),
  run: ModelRun,
): AsyncGenerator<AgentOutput, AiSdkEnd> {
  const output = createModelOutput(run)
  const added: object[] = []
  for (;;) {
    // What the SDK gives back is what it takes: the messages of its own version.
    const result = typeof source === 'function' ? source([...added] as Message[]) : source
    const { approvals, finishReason, usage } = yield* read(result.fullStream, output, run)
    const { messages } = approvals.length > 0 || finishReason === 'stop' ? await result.response : { messages: [] }
    added.push(...messages)
    if (approvals.length === 0) {
      if (finishReason === 'stop') return { usage, messages: added }
      if (run.signal.aborted) throw modelAborted(run.signal)
      throw modelError(finishReason === undefined ? 'its stream ended early' : `finish reason ${finishReason}`)
    }
    if (typeof source !== 'function')
      throw modelError('a tool needs approval, and fromAiSdk was given a result and no function to go on with')
    const content: object[] = []
    // Each call is shown as it is answered, while others still wait.
    for await (const { response, shown } of asSettled(approvals.map((part) => approve(part, output, run)))) {
      yield shown
      content.push(response)
    }
    added.push({ role: 'tool', content })
  }
}

interface Read {
  readonly approvals: readonly Part[]
  readonly finishReason: string | undefined
  readonly usage: unknown
}

async function* read(
  stream: AsyncIterable<object>,
  output: ModelOutput,
  { signal }: ModelRun,
): AsyncGenerator<AgentOutput, Read> {
  const approvals: Part[] = []
  let finishReason: string | undefined
  let usage: unknown
  for await (const each of stream) {
    const part: Part = { ...each }
    if (part['type'] === 'error') {
      const { error } = part
      throw error instanceof Error ? error : modelError('an error in its stream', error)
    }
    if (part['type'] === 'abort') throw modelAborted(signal)
    if (part['type'] === 'tool-approval-request' && part['isAutomatic'] !== true) approvals.push(part)
    else if (part['type'] === 'finish') {
      finishReason = String(part['finishReason'])
      usage = part['totalUsage']
    }
    const said = say(part, output)
    if (said !== undefined && said !== '') yield said
  }
  return { approvals, finishReason, usage }
}

/** What a part shows. Pieces that a later part repeats whole, and what is for developers, show nothing. */
function say(part: Part, output: ModelOutput): AgentOutput | undefined {
  const [id, callId, text] = [String(part['id']), String(part['toolCallId']), part['text']]
  const call = { name: textOf(part['toolName']) ?? '', arguments: part['input'] }
  switch (part['type']) {
    case 'text-delta':
      return typeof text === 'string' ? text : undefined
    case 'reasoning-delta':
      return typeof text === 'string' ? output.think(id, text) : undefined
    case 'reasoning-end':
      return output.thought(id)
    case 'tool-call':
      return output.tool(callId, { ...call, status: 'running' })
    case 'tool-result':
      return output.tool(callId, {
        ...call,
        result: part['output'],
        status: part['preliminary'] === true ? 'running' : 'complete',
      })
    case 'tool-approval-request': {
      // One that the rules of the app decide waits for nobody.
      if (part['isAutomatic'] === true || !isJsonObject(part['toolCall'])) return undefined
      const { toolCallId, toolName, input } = part['toolCall']
      return output.tool(String(toolCallId), { name: String(toolName), arguments: input, status: 'waiting' })
    }
    case 'tool-output-denied':
      return output.tool(callId, { ...call, ...DENIED })
    case 'tool-error':
      return output.tool(callId, { ...call, error: 'The tool failed.', status: 'failed' })
    case 'source':
      return part['sourceType'] === 'url'
        ? output.source({ url: String(part['url']), title: textOf(part['title']) })
        : undefined
    case 'file': {
      const file = isJsonObject(part['file']) ? part['file'] : {}
      const mediaType = textOf(file['mediaType']) ?? 'application/octet-stream'
      return output.file(mediaType, `data:${mediaType};base64,${String(file['base64'])}`)
    }
    default:
      return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The values of promises, each as soon as there is one. */
async function* asSettled<Value>(promises: readonly Promise<Value>[]): AsyncGenerator<Value, void> {
  const pending = new Map(promises.map((promise, at) => [at, promise.then((value) => ({ at, value }))]))
  while (pending.size > 0) {
    const { at, value } = await Promise.race(pending.values())
    pending.delete(at)
    yield value
  }
}

/** Asks the user about a call. Only an answer that allows is consent. */
async function approve(part: Part, output: ModelOutput, run: ModelRun) {
  const call = isJsonObject(part['toolCall']) ? part['toolCall'] : {}
  const [callId, name] = [String(call['toolCallId']), String(call['toolName'])]
  const answer = await run.ask({
    kind: 'approval',
    // The page asks in its own language.
    message: '',
    subject: { name, input: call['input'], toolCallId: output.eventId(callId) },
  })
  const approved = answer.type === 'allowed'
  const reason = answer.type === 'declined' ? answer.reason : undefined
  return {
    response: { type: 'tool-approval-response', approvalId: part['approvalId'], approved, ...(reason && { reason }) },
    shown: output.tool(callId, { name, arguments: call['input'], ...(approved ? { status: 'running' } : DENIED) }),
  }
}
