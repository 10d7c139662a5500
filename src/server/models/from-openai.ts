import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { runModelTool, type ModelTools } from './run-model-tool.ts'
import { finishError, modelAborted, modelError } from './model-error.ts'
import { createModelOutput, type ModelOutput, type ModelRun } from './model-output.ts'
import { modelStream, streamedError } from './vendor-error.ts'

/** What `client.responses.create({ stream: true })` gives. */
export type OpenAiStream = AsyncIterable<object> | PromiseLike<AsyncIterable<object>>

export interface FromOpenAiOptions {
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
  /** For `previous_response_id` of a later request. */
  readonly responseId: string
  /** Tokens, as OpenAI counts them, of the last response. */
  readonly usage: unknown
}

const MOST_RESUMES = 3
const FIRST_WAIT_MS = 500

/**
 * Says what the Responses API of OpenAI streams: text, reasoning summaries, tools, sources and pictures. Only
 * `response.completed` is a whole answer; everything else throws.
 *
 * With tools give a function instead of a stream: it is called again with the items to add to `input`, what the model has said and what the tools have
 * given.
 *
 * @example
 * ```ts
 * import OpenAI from 'openai'
 * import { createAgentHandler } from 'capstan/server'
 * import { fromOpenAi, openAiMessages } from 'capstan/server/openai'
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
  const output = createModelOutput(run)
  const added: object[] = []
  for (;;) {
    // Items of the response go back as they came.
    const stream = typeof source === 'function' ? source([...added] as Item[]) : source
    const response = yield* readResponse(stream, output, run, options)
    const items = Array.isArray(response['output']) ? response['output'].filter(isJsonObject) : []
    const calls = items.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return { responseId: String(response['id']), usage: response['usage'] }
    if (typeof source !== 'function')
      throw modelError('it called a tool, and fromOpenAi was given a stream and no function to go on with')
    added.push(...items)
    for (const call of calls) {
      const named = { callId: String(call['call_id']), name: String(call['name']), json: String(call['arguments']) }
      const { callId, text } = yield* runModelTool(named, options.tools ?? {}, output, run)
      added.push({ type: 'function_call_output', call_id: callId, output: text })
    }
  }
}

/** One response over as many connections as it takes. */
async function* readResponse(
  first: OpenAiStream,
  output: ModelOutput,
  run: ModelRun,
  { resume, cancel }: FromOpenAiOptions,
): AsyncGenerator<AgentOutput, JsonObject> {
  let [id, after] = ['', 0]
  let stream = first
  for (let resumes = 0; ; resumes++) {
    let broken: unknown = modelError('its stream ended early')
    let failure: Error | undefined
    try {
      for await (const each of modelStream(stream, run)) {
        const event: JsonObject = { ...each }
        const { type, sequence_number: number, response } = event
        if (typeof number === 'number') after = number
        if (isJsonObject(response) && typeof response['id'] === 'string') id = response['id']
        if (type === 'response.completed' && isJsonObject(response)) return response
        failure = failureOf(event)
        if (failure !== undefined) break
        const said = say(event, output)
        if (said !== undefined && said !== '') yield said
      }
    } catch (error) {
      broken = error
    }
    if (run.signal.aborted) {
      // The model would go on in the background, and be paid for.
      if (cancel !== undefined && id !== '') await Promise.resolve(cancel(id)).catch(() => {})
      throw modelAborted(run.signal)
    }
    if (failure !== undefined) throw failure
    if (resume === undefined || id === '' || resumes >= MOST_RESUMES) throw broken
    await run.sleep(FIRST_WAIT_MS * 2 ** resumes)
    stream = resume(id, after)
  }
}

/** What the model itself says of its failure: reading on would say it again. */
function failureOf({ type, response, message, code }: JsonObject): Error | undefined {
  const { error, incomplete_details: details } = isJsonObject(response) ? response : {}
  if (type === 'response.failed') return streamedError(error)
  if (type === 'response.incomplete')
    return isJsonObject(details) ? finishError(String(details['reason'])) : modelError('incomplete without a reason')
  return type === 'error' ? streamedError({ code, message }) : undefined
}

/** What an event shows. Pieces that a later event repeats whole show nothing. */
function say(event: JsonObject, output: ModelOutput): AgentOutput | undefined {
  const { type, delta, annotation, item } = event
  const key = `${String(event['item_id'])}/${String(event['summary_index'] ?? event['content_index'])}`
  switch (type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return typeof delta === 'string' ? delta : undefined
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return typeof delta === 'string' ? output.think(key, delta) : undefined
    case 'response.reasoning_summary_text.done':
    case 'response.reasoning_text.done':
      return output.thought(key)
    case 'response.output_text.annotation.added':
      return isJsonObject(annotation) && annotation['type'] === 'url_citation'
        ? output.source({ url: String(annotation['url']), title: String(annotation['title']) })
        : undefined
    case 'response.output_item.added':
      return isJsonObject(item) ? sayItem(item, 'running', output) : undefined
    case 'response.output_item.done':
      return isJsonObject(item) ? sayItem(item, item['status'] === 'failed' ? 'failed' : 'complete', output) : undefined
    default:
      return undefined
  }
}

/** Tools that OpenAI itself carries out, and the pictures they make. Calls of functions are shown when they are carried out. */
function sayItem(
  item: JsonObject,
  status: 'running' | 'complete' | 'failed',
  output: ModelOutput,
): AgentOutput | undefined {
  const { id, type, name, action, queries, result } = item
  if (type === 'image_generation_call' && typeof result === 'string')
    return output.file('image/png', `data:image/png;base64,${result}`)
  if (typeof type !== 'string' || !type.endsWith('_call') || type === 'function_call') return undefined
  const said = typeof name === 'string' ? name : type.slice(0, -'_call'.length)
  return output.tool(String(id), { name: said, arguments: action ?? queries ?? {}, status })
}
