import { isAgentError, type AgentError } from '../../base/agent-error.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import {
  finishError,
  modelAborted,
  modelError,
  streamedError,
  vendorError,
  nonEmptyText,
  parseInput,
} from './model-error.ts'
import { createModelOutput, type ModelOutput, type ModelRun, rememberAnswer, type HelperEnd } from './model-output.ts'
import {
  createRoundLimit,
  type ModelRoundsOptions,
  askApproval,
  runModelTool,
  type ModelTools,
} from './run-model-tool.ts'
import { checkSettled, typeOf, createResponseReader, type ResponseReader } from './openai-response.ts'
import {
  fileText,
  modelTurns,
  textOnly,
  type ChatMessagesOptions,
  type ChatRun,
  type VendorFiles,
} from '../conversation/model-turns.ts'

/** What `client.responses.create({ stream: true })` gives. */
export type OpenAiStream = AsyncIterable<object> | PromiseLike<AsyncIterable<object>>

export interface FromOpenAiOptions extends ModelRoundsOptions {
  /** Tools that run on the server. @default {} */
  readonly tools?: ModelTools | undefined
  /**
   * Reads on a response that was begun with `background: true`, after the event of a number:
   * `client.responses.retrieve(id, { stream: true, starting_after })`. Absent: a connection to the model that breaks is a failure.
   */
  readonly resume?: ((responseId: string, startingAfter: number) => OpenAiStream) | undefined
  /** Stops a response that runs in the background, when the run is cancelled: `client.responses.cancel(id)`. Absent: aborting the request is all. */
  readonly cancel?: ((responseId: string) => PromiseLike<unknown>) | undefined
}

/** How an answer of OpenAI ended. */
export interface OpenAiEnd {
  /** For `previous_response_id` of a later request. Empty when the response has no id. */
  readonly responseId: string
  /** Tokens, as OpenAI counts them, of the last response. */
  readonly usage: unknown
}

const MOST_RESUMES = 3

const FIRST_WAIT_MS = 500

/**
 * Shows what the Responses API of OpenAI streams: text, reasoning summaries, tools, sources and pictures. An answer is whole when its
 * response is `completed` and every item in it has ended; everything else throws, and names the item that is open or that the helper
 * cannot carry out.
 *
 * With tools, or with MCP servers that need approval, give a function instead of a stream: it is called again with the items to add to
 * `input`: the model's own, the results of tools, and what the user decided about `mcp_approval_request`.
 *
 * @example
 * ```ts
 * import OpenAI from 'openai'
 * import { createAgentHandler } from 'capstan/server'
 * import { fromOpenAi, openAiMessages } from 'capstan/server/models'
 *
 * const client = new OpenAI()
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const input = await openAiMessages(run)
 *     yield* fromOpenAi(client.responses.create({ model: 'gpt-5', input, stream: true }, { signal: run.signal }), run)
 *   },
 * })
 * ```
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the app's function says which type of the SDK it wants
export async function* fromOpenAi<Item extends object>(
  source: OpenAiStream | ((added: Item[]) => OpenAiStream),
  run: ModelRun,
  options: FromOpenAiOptions = {},
): AsyncGenerator<AgentOutput, OpenAiEnd> {
  // Items of the response go back unchanged, so they have the type that the SDK takes.
  const ask = source as OpenAiStream | ((added: object[]) => OpenAiStream)
  return yield* rememberAnswer('openai', converse(ask, run, options), run)
}

async function* converse(
  source: OpenAiStream | ((added: object[]) => OpenAiStream),
  run: ModelRun,
  options: FromOpenAiOptions,
): AsyncGenerator<AgentOutput, HelperEnd<OpenAiEnd>> {
  const output = createModelOutput(run)
  const nextRound = createRoundLimit(options)
  const approved = createApprovedCalls()
  const added: JsonObject[] = []
  for (let round = 1; ; round++) {
    const stream = typeof source === 'function' ? source([...added]) : source
    const reader = createResponseReader(output, round)
    const response = yield* readResponse(stream, reader, run, options)
    const { shown, items } = reader.settle(response)
    yield* shown
    checkSettled(items)
    approved.settle(items)
    const open = items.filter(({ type }) => type === 'function_call' || type === 'mcp_approval_request')
    if (open.length === 0) {
      approved.checkSettled()
      const all = [...added, ...items]
      return {
        end: { responseId: nonEmptyText(response['id']) ?? '', usage: response['usage'] },
        items: isSelfContained(all) ? all : undefined,
      }
    }
    if (typeof source !== 'function')
      throw modelError(
        `it ended with a ${typeOf(open[0] ?? {})}, and fromOpenAi was given a stream and no function to continue with`,
      )
    nextRound()
    added.push(...items)
    for (const item of open) {
      if (item['type'] === 'function_call') added.push(yield* callFunction(item, options.tools ?? {}, output, run))
      else {
        const response = yield* askAboutMcp(item, output, run)
        if (response.approve) approved.add(item)
        added.push(response)
      }
    }
  }
}

/**
 * Whether items can go back in any later request. Without its encrypted content a reasoning item is only a name for what OpenAI stores for a
 * time, and items that belong to it are refused without it.
 */
function isSelfContained(items: readonly JsonObject[]): boolean {
  const sealed = items.filter(({ type }) => type === 'reasoning' || type === 'compaction')
  return sealed.length > 0 && sealed.every((item) => nonEmptyText(item['encrypted_content']) !== undefined)
}

async function* callFunction(
  { call_id: id, name, arguments: json }: JsonObject,
  tools: ModelTools,
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, JsonObject> {
  const call = { callId: nonEmptyText(id) ?? '', name: nonEmptyText(name) ?? '', json: nonEmptyText(json) ?? '' }
  const { callId, text } = yield* runModelTool(call, tools, output, run)
  return { type: 'function_call_output', call_id: callId, output: text }
}

/** OpenAI calls the MCP server itself once the user has allowed it. */
async function* askAboutMcp(
  { id, name, arguments: json }: JsonObject,
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, { readonly approve: boolean; readonly [key: string]: unknown }> {
  const callId = nonEmptyText(id) ?? ''
  const text = nonEmptyText(json) ?? ''
  const call = { callId, name: nonEmptyText(name) ?? 'mcp', input: parseInput(text) ?? text }
  const answer = yield* askApproval(call, output, run)
  const approve = answer.type === 'allowed'
  if (approve) yield output.tool(callId, { name: call.name, arguments: call.input, status: 'running' })
  const reason = answer.type === 'declined' ? answer.reason : undefined
  return { type: 'mcp_approval_response', approval_request_id: callId, approve, ...(reason && { reason }) }
}

/** Calls of MCP servers that the user has allowed, until OpenAI reports them. */
interface ApprovedCalls {
  add(request: JsonObject): void
  settle(items: readonly JsonObject[]): void
  /** @throws AgentError for one that was never reported: nobody knows whether it was carried out */
  checkSettled(): void
}

function createApprovedCalls(): ApprovedCalls {
  const open = new Map<unknown, unknown>()
  return {
    add: ({ id, name }) => open.set(id, name),
    settle(items) {
      for (const item of items) if (item['type'] === 'mcp_call') open.delete(item['approval_request_id'])
    },
    checkSettled() {
      const [name] = open.values()
      if (open.size > 0) throw modelError(`it never reported the call of ${String(name)} that the user has allowed`)
    },
  }
}

/** One response over as many connections as it takes. */
async function* readResponse(
  first: OpenAiStream,
  reader: ResponseReader,
  run: ModelRun,
  { resume, cancel }: FromOpenAiOptions,
): AsyncGenerator<AgentOutput, JsonObject> {
  let [id, after] = ['', 0]
  let stream = first
  for (let resumes = 0; ; resumes++) {
    const resumedAfter = resumes === 0 ? -1 : after
    let broken: unknown = modelError('its stream ended early')
    let failure: AgentError | undefined
    try {
      for await (const each of await stream) {
        const event: JsonObject = { ...each }
        const { type, sequence_number: number, response } = event
        // A resumed stream may repeat events.
        if (typeof number === 'number' && number <= resumedAfter) continue
        if (typeof number === 'number') after = number
        if (isJsonObject(response)) id = nonEmptyText(response['id']) ?? id
        checkFailure(event)
        if (type === 'response.completed' && isJsonObject(response)) return response
        yield* reader.read(event)
      }
    } catch (error) {
      // The model failed, which another connection does not change; everything else is the connection.
      if (isAgentError(error)) failure = error
      else broken = vendorError(error)
    }
    if (run.signal.aborted) {
      // The model would continue in the background, and be paid for.
      if (cancel !== undefined && id !== '') await Promise.resolve(cancel(id)).catch(() => {})
      throw modelAborted(run.signal)
    }
    if (failure !== undefined) throw failure
    if (resume === undefined || id === '' || resumes >= MOST_RESUMES) throw broken
    await run.sleep(FIRST_WAIT_MS * 2 ** resumes)
    stream = resume(id, after)
  }
}

/** @throws AgentError for a failure that the model reports itself. Some gateways complete a response that reports one. */
function checkFailure({ type, response, message, code }: JsonObject): void {
  if (type === 'error') throw streamedError({ code, message })
  const { status, error, incomplete_details: details } = isJsonObject(response) ? response : {}
  if (type === 'response.failed') throw streamedError(error)
  if (type !== 'response.completed' && type !== 'response.incomplete') return
  const reason = isJsonObject(details) ? nonEmptyText(details['reason']) : undefined
  if (reason !== undefined) throw finishError(reason)
  if (type === 'response.incomplete') throw modelError('incomplete without a reason')
  if (isJsonObject(error)) throw streamedError(error)
  if (typeof status === 'string' && status !== 'completed') throw finishError(status)
}

/** A file as the Responses API takes it. */
type OpenAiFilePart =
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; file_url: string }
  | { type: 'input_file'; filename: string; file_data: string }

/** An item of `input` of the Responses API. */
export type OpenAiMessage =
  | { role: 'user'; content: string | ({ type: 'input_text'; text: string } | OpenAiFilePart)[] }
  | { role: 'assistant'; content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string }

const IMAGE = /^image\/(png|jpeg|gif|webp)$/

const DOCUMENT =
  /^application\/(pdf|rtf|msword|vnd\.ms-(excel|powerpoint)|vnd\.(openxmlformats-officedocument|oasis\.opendocument)\..+)$/

const FILES: VendorFiles<OpenAiFilePart> = {
  vendor: 'openai',
  reads: 'OpenAI reads PNG, JPEG, GIF, WebP, PDF, office documents and text',
  part(file) {
    if (file.kind === 'text') return fileText(file)
    const { kind, mediaType = '', name = mediaType === 'application/pdf' ? 'file.pdf' : 'file' } = file
    const isImage = IMAGE.test(mediaType)
    if (kind === 'url') {
      if (isImage) return { type: 'input_image', image_url: file.url, detail: 'auto' }
      return /^(image|audio|video)\//.test(mediaType) ? undefined : { type: 'input_file', file_url: file.url }
    }
    const address = `data:${mediaType};base64,${file.data}`
    if (isImage) return { type: 'input_image', image_url: address, detail: 'auto' }
    return DOCUMENT.test(mediaType) ? { type: 'input_file', filename: name, file_data: address } : undefined
  },
}

/**
 * The conversation as `input` of the Responses API: the messages before, and what the user says now, with files and calls of tools. A file
 * that OpenAI does not read is a note for the model, and is reported to `onError` of the handler.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { openAiMessages } from 'capstan/server/models'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const input = await openAiMessages(run)
 *     yield `OpenAI would be given ${input.length} items.`
 *   },
 * })
 * ```
 */
export async function openAiMessages(run: ChatRun, options: ChatMessagesOptions = {}): Promise<OpenAiMessage[]> {
  const turns = await modelTurns(run, FILES, options)
  return turns.flatMap((turn): OpenAiMessage[] => {
    if (turn.role === 'user') {
      const parts = turn.content.map((part) =>
        typeof part === 'string' ? { type: 'input_text' as const, text: part } : part,
      )
      return [{ role: 'user', content: textOnly(turn.content) ?? parts }]
    }
    // What `fromOpenAi` has received from OpenAI, and added.
    if (turn.role === 'remembered') return turn.items as OpenAiMessage[]
    const { text, calls } = turn
    return [
      ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
      ...calls.map(({ id, name, input }) => ({
        type: 'function_call' as const,
        call_id: id,
        name,
        arguments: JSON.stringify(input),
      })),
      ...calls.map(({ id, output }) => ({ type: 'function_call_output' as const, call_id: id, output })),
    ]
  })
}
