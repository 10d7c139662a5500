import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { runModelTool, type ModelTools } from './run-model-tool.ts'
import { finishError, modelAborted, modelError } from './model-error.ts'
import { createModelOutput, type ModelOutput, type ModelRun } from './model-output.ts'
import { modelStream, streamedError } from './vendor-error.ts'

/** What `client.messages.create({ stream: true })` gives. */
export type AnthropicStream = AsyncIterable<object> | PromiseLike<AsyncIterable<object>>

export interface FromAnthropicOptions {
  /** Tools that run on the server. @default {} */
  readonly tools?: ModelTools | undefined
}

/** How an answer of Anthropic ended. */
export interface AnthropicEnd {
  readonly stopReason: string
  /** Tokens, as Anthropic counts them, of the last message. */
  readonly usage: unknown
  /** What model and tools have said, for `messages` of a later request. */
  readonly messages: readonly object[]
}

/** A block of a message while it comes. */
interface Block {
  readonly content: JsonObject
  /** Of a tool call: its input as JSON text. */
  json: string
}

interface Message {
  readonly blocks: readonly Block[]
  readonly stopReason: string
  readonly usage: unknown
}

/**
 * Says what the Messages API of Anthropic streams: text, thinking, tools and sources. Only `end_turn` and `stop_sequence` with the
 * end of the message are a whole answer; everything else throws.
 *
 * With tools give a function instead of a stream: it is called again with the messages to add, what the model has said and what the tools
 * have given.
 *
 * @example
 * ```ts
 * import Anthropic from '@anthropic-ai/sdk'
 * import { createAgentHandler } from 'capstan/server'
 * import { anthropicMessages, fromAnthropic } from 'capstan/server/anthropic'
 *
 * const client = new Anthropic()
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const body = { model: 'claude-sonnet-4-5', max_tokens: 4096, messages: await anthropicMessages(run) }
 *     yield* fromAnthropic(client.messages.create({ ...body, stream: true }, { signal: run.signal }), run)
 *   },
 * })
 * ```
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the app's function says which type of the SDK it wants
export async function* fromAnthropic<Added extends object>(
  source: AnthropicStream | ((added: Added[]) => AnthropicStream),
  run: ModelRun,
  options: FromAnthropicOptions = {},
): AsyncGenerator<AgentOutput, AnthropicEnd> {
  const output = createModelOutput(run)
  const added: object[] = []
  for (;;) {
    // Blocks go back as they came: signatures of thinking are checked.
    const stream = typeof source === 'function' ? source([...added] as Added[]) : source
    const { blocks, stopReason, usage } = yield* readMessage(stream, output, run)
    added.push({ role: 'assistant', content: blocks.map(whole) })
    if (stopReason === 'end_turn' || stopReason === 'stop_sequence') return { stopReason, usage, messages: added }
    if (stopReason !== 'tool_use' && stopReason !== 'pause_turn') throw finishError(stopReason)
    if (typeof source !== 'function')
      throw modelError('it called a tool, and fromAnthropic was given a stream and no function to go on with')
    const results: object[] = []
    for (const { content, json } of blocks) {
      if (content['type'] !== 'tool_use') continue
      const call = { callId: String(content['id']), name: String(content['name']), json }
      const { callId, text, hasFailed } = yield* runModelTool(call, options.tools ?? {}, output, run)
      results.push({ type: 'tool_result', tool_use_id: callId, content: text, ...(hasFailed && { is_error: true }) })
    }
    if (results.length > 0) added.push({ role: 'user', content: results })
  }
}

async function* readMessage(
  stream: AnthropicStream,
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, Message> {
  const blocks: Block[] = []
  let [stopReason, usage, ended] = ['', undefined as unknown, false]
  for await (const each of modelStream(stream, run)) {
    const event: JsonObject = { ...each }
    const { type, delta, content_block: begun, error } = event
    const index = Number(event['index'])
    const block = blocks[index]
    if (type === 'error') throw streamedError(error)
    if (type === 'content_block_start' && isJsonObject(begun)) blocks[index] = { content: { ...begun }, json: '' }
    if (type === 'message_delta' && isJsonObject(delta)) {
      stopReason = String(delta['stop_reason'])
      usage = event['usage']
    }
    if (type === 'message_stop') ended = true
    const said =
      type === 'content_block_start' && isJsonObject(begun)
        ? sayBlock(begun, output)
        : type === 'content_block_delta' && isJsonObject(delta) && block !== undefined
          ? take(block, delta, index, output)
          : type === 'content_block_stop'
            ? output.thought(String(index))
            : undefined
    for (const one of Array.isArray(said) ? said : [said]) if (one !== undefined && one !== '') yield one
  }
  // The SDK ends the stream without a word when its call is aborted.
  if (run.signal.aborted) throw modelAborted(run.signal)
  if (!ended) throw modelError('its stream ended early')
  return { blocks, stopReason, usage }
}

/** What a block shows when it begins: calls and results of the tools that Anthropic itself carries out, and text that it begins with. */
function sayBlock(
  block: JsonObject,
  output: ModelOutput,
): AgentOutput | readonly (AgentOutput | undefined)[] | undefined {
  const { type, text, id, name, tool_use_id: callId, content } = block
  if (type === 'text') return typeof text === 'string' ? text : undefined
  if (type === 'server_tool_use')
    return output.tool(String(id), { name: String(name), arguments: {}, status: 'running' })
  if (typeof type !== 'string' || !type.endsWith('_tool_result')) return undefined
  const found = Array.isArray(content) ? content.filter(isJsonObject) : []
  return [
    output.tool(String(callId), { name: '', status: isJsonObject(content) ? 'failed' : 'complete' }),
    ...found.map(({ url, title }) =>
      typeof url === 'string' ? output.source({ url, title: String(title) }) : undefined,
    ),
  ]
}

/** Adds a delta to its block, and gives what it shows. */
function take(block: Block, delta: JsonObject, index: number, output: ModelOutput): AgentOutput | undefined {
  const { content } = block
  const { type, text, thinking, signature, partial_json: json, citation } = delta
  const add = (key: string, more: unknown): void => {
    const before = content[key]
    content[key] = `${typeof before === 'string' ? before : ''}${String(more)}`
  }
  switch (type) {
    case 'text_delta':
      add('text', text)
      return String(text)
    case 'thinking_delta':
      add('thinking', thinking)
      return output.think(String(index), String(thinking))
    case 'signature_delta':
      add('signature', signature)
      return undefined
    case 'input_json_delta':
      block.json += String(json)
      return undefined
    case 'citations_delta': {
      const before: readonly unknown[] = Array.isArray(content['citations']) ? content['citations'] : []
      content['citations'] = [...before, citation]
      if (!isJsonObject(citation) || typeof citation['url'] !== 'string') return undefined
      const { url, title, cited_text: snippet } = citation
      return output.source({ url, title: String(title), ...(typeof snippet === 'string' && { snippet }) })
    }
    default:
      return undefined
  }
}

/** A block as the model has said it. */
function whole({ content, json }: Block): JsonObject {
  if (content['type'] !== 'tool_use' && content['type'] !== 'server_tool_use') return content
  try {
    return { ...content, input: json === '' ? content['input'] : (JSON.parse(json) as unknown) }
  } catch {
    // The model is told in the result that it was no JSON.
    return { ...content, input: {} }
  }
}
