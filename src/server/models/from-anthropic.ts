import type { JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { createMessageReader, type ServerCalls, type WholeMessage } from './anthropic-message-reader.ts'
import { finishError, modelAborted, modelError, modelStream, streamedError } from './model-error.ts'
import { createModelOutput, type ModelOutput, type ModelRun, rememberAnswer, type HelperEnd } from './model-output.ts'
import { createRoundLimit, type ModelRoundsOptions, runModelTool, type ModelTools } from './run-model-tool.ts'
import {
  modelTurns,
  textOnly,
  type ChatMessagesOptions,
  type ChatRun,
  type VendorFiles,
} from '../conversation/model-turns.ts'

/** What `client.messages.create({ stream: true })` gives. */
export type AnthropicStream = AsyncIterable<object> | PromiseLike<AsyncIterable<object>>

export interface FromAnthropicOptions extends ModelRoundsOptions {
  /** Tools that run on the server. @default {} */
  readonly tools?: ModelTools | undefined
}

/** How an answer of Anthropic ended. */
export interface AnthropicEnd {
  readonly stopReason: string
  /** Tokens, as Anthropic counts them, of the last message. */
  readonly usage: unknown
  /** The messages of the model and its tools, for `messages` of a later request. */
  readonly messages: readonly object[]
}

/**
 * Shows what the Messages API of Anthropic streams: text, thinking, tools and sources. An answer is whole when its message has ended by
 * `end_turn` or a stop sequence, and every block and every call in it has ended; everything else throws, and names what is open or what the
 * helper cannot carry out.
 *
 * With tools give a function instead of a stream: it is called again with the messages to add, the model's own and the results of the tools.
 *
 * @example
 * ```ts
 * import Anthropic from '@anthropic-ai/sdk'
 * import { createAgentHandler } from 'capstan/server'
 * import { anthropicMessages, fromAnthropic } from 'capstan/server/models'
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
  // Blocks go back unchanged, so they have the type that the SDK takes: signatures of thinking are checked.
  const ask = source as AnthropicStream | ((added: object[]) => AnthropicStream)
  return yield* rememberAnswer('anthropic', converse(ask, run, options), run)
}

async function* converse(
  source: AnthropicStream | ((added: object[]) => AnthropicStream),
  run: ModelRun,
  options: FromAnthropicOptions,
): AsyncGenerator<AgentOutput, HelperEnd<AnthropicEnd>> {
  const output = createModelOutput(run)
  const nextRound = createRoundLimit(options)
  const serverCalls: ServerCalls = new Map()
  const added: object[] = []
  let hasMore = false
  for (let round = 1; ; round++) {
    const stream = typeof source === 'function' ? source([...added]) : source
    const { blocks, calls, stopReason, usage } = yield* readMessage(stream, round, serverCalls, output, run)
    const isPaused = PAUSES.has(stopReason)
    if (stopReason === 'tool_use' && calls.length === 0) throw modelError('it stopped for a tool and called none')
    if (isPaused && blocks.length === 0) throw modelError(`${stopReason} without anything new`)
    if (blocks.length > 0) added.push({ role: 'assistant', content: blocks })
    // Parts of a page have text and calls.
    hasMore ||= blocks.some(({ type }) => type !== 'text' && type !== 'tool_use')
    // Some gateways end a message with calls by another reason than `tool_use`.
    if (calls.length === 0 && !isPaused) {
      const [open] = serverCalls.keys()
      if (open !== undefined) throw modelError(`its server tool call ${open} has no result`)
      return { end: { stopReason, usage, messages: added }, items: hasMore ? added : undefined }
    }
    if (typeof source !== 'function')
      throw modelError(
        `${isPaused ? 'it paused' : 'it called a tool'}, and fromAnthropic was given a stream and no function to continue with`,
      )
    nextRound()
    const results: object[] = []
    for (const call of calls) {
      const { callId, text, hasFailed } = yield* runModelTool(call, options.tools ?? {}, output, run)
      results.push({ type: 'tool_result', tool_use_id: callId, content: text, ...(hasFailed && { is_error: true }) })
    }
    if (results.length > 0) added.push({ role: 'user', content: results })
  }
}

/** Reasons after which Anthropic continues with the messages so far. */
const PAUSES = new Set(['pause_turn', 'compaction'])

const WHOLE_REASONS = new Set(['end_turn', 'stop_sequence', 'tool_use', ...PAUSES])

async function* readMessage(
  stream: AnthropicStream,
  round: number,
  serverCalls: ServerCalls,
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, WholeMessage & { readonly stopReason: string }> {
  const reader = createMessageReader(output, round, serverCalls)
  for await (const each of modelStream(stream, run)) {
    const event: JsonObject = { ...each }
    if (event['type'] === 'error') throw streamedError(event['error'])
    // A connection may stay open behind the end.
    if (event['type'] === 'message_stop') {
      const { stopReason } = reader
      if (stopReason === undefined) throw modelError('it gave no stop reason')
      if (!WHOLE_REASONS.has(stopReason)) throw finishError(stopReason)
      return { ...reader.settle(), stopReason }
    }
    yield* reader.read(event)
  }
  // The SDK ends the stream without a word when its call is aborted.
  if (run.signal.aborted) throw modelAborted(run.signal)
  throw modelError('its stream ended early')
}

type AnthropicImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** A file as the Messages API takes it. */
type AnthropicFilePart =
  | {
      type: 'image'
      source: { type: 'base64'; media_type: AnthropicImageType; data: string } | { type: 'url'; url: string }
    }
  | {
      type: 'document'
      source:
        | { type: 'base64'; media_type: 'application/pdf'; data: string }
        | { type: 'text'; media_type: 'text/plain'; data: string }
        | { type: 'url'; url: string }
      title?: string
    }

interface TextBlock {
  type: 'text'
  text: string
}

/** A message of the Messages API. */
export type AnthropicMessage =
  | {
      role: 'user'
      content:
        | string
        | (
            | TextBlock
            | AnthropicFilePart
            | { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean }
          )[]
    }
  | {
      role: 'assistant'
      content: string | (TextBlock | { type: 'tool_use'; id: string; name: string; input: unknown })[]
    }

const IMAGE_TYPES: readonly AnthropicImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const FILES: VendorFiles<AnthropicFilePart> = {
  vendor: 'anthropic',
  reads: 'Anthropic reads PNG, JPEG, GIF, WebP, PDF and text, and at a URL only pictures and PDF',
  part(file) {
    const titled = file.name === undefined ? {} : { title: file.name }
    if (file.kind === 'text')
      return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: file.text }, ...titled }
    const image = IMAGE_TYPES.find((type) => type === file.mediaType)
    const isPdf = file.mediaType === 'application/pdf'
    if (file.kind === 'url') {
      const source = { type: 'url' as const, url: file.url }
      if (image !== undefined) return { type: 'image', source }
      return isPdf ? { type: 'document', source, ...titled } : undefined
    }
    const { data } = file
    if (image !== undefined) return { type: 'image', source: { type: 'base64', media_type: image, data } }
    if (!isPdf) return undefined
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, ...titled }
  },
}

/**
 * The conversation as `messages` of the Messages API: the messages before, and what the user says now, with files and calls of tools. A file
 * that Anthropic does not read is a note for the model, and is reported to `onError` of the handler. Anthropic wants `tools` in a request whose
 * messages have calls.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { anthropicMessages } from 'capstan/server/models'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages = await anthropicMessages(run)
 *     yield `Anthropic would be given ${messages.length} messages.`
 *   },
 * })
 * ```
 */
export async function anthropicMessages(run: ChatRun, options: ChatMessagesOptions = {}): Promise<AnthropicMessage[]> {
  const turns = await modelTurns(run, FILES, options)
  const messages: AnthropicMessage[] = []
  // Results of calls are messages of the user: what the user says to them is in the same one, so that roles alternate.
  let results: Extract<AnthropicMessage['content'][number], { type: 'tool_result' }>[] = []
  for (const turn of turns) {
    if (turn.role === 'user') {
      const parts = turn.content.map((part) => (typeof part === 'string' ? textBlock(part) : part))
      const text = results.length === 0 ? textOnly(turn.content) : undefined
      messages.push({ role: 'user', content: text ?? [...results, ...parts] })
      results = []
      continue
    }
    if (results.length > 0) messages.push({ role: 'user', content: results })
    results = []
    if (turn.role === 'remembered') {
      // What `fromAnthropic` has received from Anthropic, and added. It ends with the model's own message.
      messages.push(...(turn.items as AnthropicMessage[]))
      continue
    }
    const { text, calls } = turn
    const uses = calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input }))
    const said = text === '' ? [] : [textBlock(text)]
    messages.push({ role: 'assistant', content: uses.length === 0 ? text : [...said, ...uses] })
    results = calls.map(({ id, output, hasFailed }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output,
      ...(hasFailed && { is_error: true }),
    }))
  }
  return messages
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}
