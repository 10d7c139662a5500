import { TOOL_FAILED } from '../../base/tool-failures.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { finishError, modelAborted, modelError, modelFailure, modelStream, streamedError } from './model-error.ts'
import {
  createModelOutput,
  DENIED,
  type ModelOutput,
  type ModelRun,
  rememberAnswer,
  type HelperEnd,
  sealedMessages,
} from './model-output.ts'

/** What is needed of the result of `streamText`, in version 5, 6 and 7 of the AI SDK. */
export interface AiSdkResult {
  readonly fullStream: AsyncIterable<object>
  /** Has the messages of all steps before version 7, and of the last one from it on. */
  readonly response: PromiseLike<{ readonly messages?: readonly object[] }>
  /** The messages of all steps, from version 7 on. */
  readonly responseMessages?: PromiseLike<readonly object[]>
}

/** How an answer of the AI SDK ended. */
export interface AiSdkEnd {
  /** Tokens, as the SDK counts them, of the last call of `streamText`. */
  readonly usage: unknown
  /** The messages of the model and its tools, for `messages` of a later call. */
  readonly messages: readonly object[]
}

export interface FromAiSdkOptions {
  /**
   * Whether an answer needs a finish reason. A gateway that never gives one looks like one whose stream was cut, so with false a cut answer
   * is taken for a whole one. A reason that the gateway does give still counts. @default true
   */
  readonly requireFinishReason?: boolean | undefined
}

type Part = Readonly<Record<string, unknown>>

/**
 * Says what `streamText` of the AI SDK streams: text, reasoning, tools, sources and files. Throws what the SDK reports, and for
 * every end but a whole answer, so that a model that fails, is aborted, is cut off or reaches a limit is never a complete one. A limit of
 * steps (`stopWhen`) ends the run with the code `model_step_limit`; the calls and results before it stay in the conversation.
 *
 * A tool that needs approval asks the user by `run.ask`. The SDK ends its stream for that, so give a function instead of a result: it is
 * called again with the messages to add when the user has answered.
 *
 * @example
 * ```ts
 * import { chatMessages, createAgentHandler } from 'capstan/server'
 * import { fromAiSdk } from 'capstan/server/models'
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
  options: FromAiSdkOptions = {},
): AsyncGenerator<AgentOutput, AiSdkEnd> {
  // The SDK accepts the messages that the same version returned.
  const ask = source as AiSdkResult | ((added: object[]) => AiSdkResult)
  return yield* rememberAnswer('ai-sdk', converse(ask, run, options), run)
}

async function* converse(
  source: AiSdkResult | ((added: object[]) => AiSdkResult),
  run: ModelRun,
  { requireFinishReason = true }: FromAiSdkOptions,
): AsyncGenerator<AgentOutput, HelperEnd<AiSdkEnd>> {
  const output = createModelOutput(run)
  const added: object[] = []
  for (;;) {
    const result = typeof source === 'function' ? source([...added]) : source
    const ended = yield* read(result.fullStream, output, run)
    const { approvals, usage } = ended
    const failure = approvals.length > 0 ? undefined : failureOf(ended, requireFinishReason)
    if (failure !== undefined) throw run.signal.aborted ? modelAborted(run.signal) : failure
    added.push(...((await (result.responseMessages ?? (await result.response).messages)) ?? []))
    if (approvals.length === 0) return { end: { usage, messages: added }, items: sealedMessages(added) }
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
  /** As the vendor writes it. Undefined: it gave none, or the SDK does not pass it on. */
  readonly rawReason: string | undefined
  /** Names of tools that were called and have no result, by the ids of the calls. */
  readonly unsettled: ReadonlyMap<string, string>
  readonly usage: unknown
}

async function* read(
  stream: AsyncIterable<object>,
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, Read> {
  const approvals: Part[] = []
  const unsettled = new Map<string, string>()
  /** Calls that the SDK has not carried out: their tool does not exist, or their input does not fit it. */
  const invalid = new Set<string>()
  let [finishReason, rawReason]: readonly (string | undefined)[] = []
  let usage: unknown
  for await (const each of modelStream(stream, run)) {
    const part: Part = { ...each }
    const callId = String(part['toolCallId'])
    switch (part['type']) {
      case 'error':
        throw streamedError(part['error'])
      case 'abort':
        throw modelAborted(run.signal)
      case 'tool-call':
        // The vendor carries out its own tools, and may give their results later.
        if (part['providerExecuted'] !== true) unsettled.set(callId, String(part['toolName']))
        if (part['invalid'] === true) invalid.add(callId)
        break
      case 'tool-result':
        if (part['preliminary'] !== true) unsettled.delete(callId)
        break
      case 'tool-error':
        if (part['providerExecuted'] !== true && !invalid.has(callId)) run.report?.(part['error'])
        unsettled.delete(callId)
        break
      case 'tool-output-denied':
        unsettled.delete(callId)
        break
      case 'tool-approval-request':
        if (part['isAutomatic'] !== true) approvals.push(part)
        break
      case 'finish':
        finishReason = textOf(part['finishReason'])
        rawReason = textOf(part['rawFinishReason'])
        usage = part['totalUsage']
        break
    }
    const said = say(part, output)
    if (said !== undefined && said !== '') yield said
  }
  return { approvals, finishReason, rawReason, unsettled, usage }
}

/** What the versions of the SDK write for a reason that the vendor has not given. */
const NOT_GIVEN: ReadonlySet<string> = new Set(['interrupted', 'other', 'unknown'])

/** The failure of an answer that is not whole. */
function failureOf({ finishReason, rawReason, unsettled }: Read, requireFinishReason: boolean): Error | undefined {
  if (finishReason === undefined) return modelError('its stream ended early')
  const isGiven = rawReason !== undefined || !NOT_GIVEN.has(finishReason)
  if (finishReason === 'stop' || finishReason === 'tool-calls' || (!isGiven && !requireFinishReason)) {
    if (unsettled.size > 0)
      return modelError(`it called ${[...unsettled.values()].join(', ')}, and nobody carried that out`)
    // The SDK asks the model again after tools, unless `stopWhen` says that it is enough.
    return finishReason === 'tool-calls'
      ? modelFailure('model_step_limit', 'its last step ended with tools')
      : undefined
  }
  return finishError(finishReason === 'other' && rawReason !== undefined ? rawReason : finishReason)
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
      return output.tool(callId, { ...call, error: TOOL_FAILED, status: 'failed' })
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
