import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { modelAborted, modelError } from './model-error.ts'
import { createModelOutput, type ModelOutput, type ModelRun } from './model-output.ts'

/** What `graph.stream(input, { streamMode: ['messages', 'updates'] })` gives: pairs of a mode and what it says. */
export type LangGraphStream = AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>

/** What a graph has asked by `interrupt(value)`. */
export interface LangGraphInterrupt {
  /** Names it where several are open. Undefined from older versions. */
  readonly id: string | undefined
  readonly value: unknown
}

export interface FromLangGraphOptions {
  /**
   * Asks the user what the graph has asked, such as by `run.ask`, and gives what the graph resumes with. Absent: an interrupt is a
   * failure, so that nothing goes on without an answer.
   */
  readonly onInterrupt?: ((interrupt: LangGraphInterrupt) => Promise<unknown>) | undefined
  /**
   * Whether an answer without a finish reason is a failure. LangChain does not say whether the stream of a model was cut; most models
   * give a reason, and one that gives none was. @default false
   */
  readonly requireFinishReason?: boolean | undefined
}

/** Reasons that say that an answer is not whole. */
const CUT = new Set(['length', 'max_tokens', 'MAX_TOKENS', 'content_filter', 'SAFETY', 'refusal', 'error'])
const REASON_KEYS = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']

/**
 * Says what a graph of LangGraph streams, or an agent of LangChain: text, reasoning, tools. The source is called once with nothing,
 * and after each interrupt with what to resume with: `new Command({ resume })`. Throws what the graph throws, and for a
 * model that was cut off.
 *
 * @example
 * ```ts
 * import { chatMessages, createAgentHandler } from 'capstan/server'
 * import { fromLangGraph } from 'capstan/server/langchain'
 *
 * // stands for a graph that was compiled
 * declare const graph: { stream(input: object, options: object): Promise<AsyncIterable<unknown>> }
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const options = { streamMode: ['messages', 'updates'], signal: run.signal }
 *     const messages = await chatMessages(run)
 *     yield* fromLangGraph(() => graph.stream({ messages }, options), run)
 *   },
 * })
 * ```
 */
export async function* fromLangGraph(
  source: (resume?: unknown) => LangGraphStream,
  run: ModelRun,
  { onInterrupt, requireFinishReason = false }: FromLangGraphOptions = {},
): AsyncGenerator<AgentOutput, void> {
  const output = createModelOutput(run)
  let resume: unknown
  for (;;) {
    const interrupts: LangGraphInterrupt[] = []
    let reason: string | undefined
    for await (const step of await source(resume)) {
      const pair: readonly unknown[] = Array.isArray(step) ? step.slice(-2) : []
      const [mode, chunk] = pair
      if (mode === 'messages' && Array.isArray(chunk)) {
        const message = read(chunk[0])
        reason = message.reason ?? reason
        yield* sayMessage(message, output)
      } else if (mode === 'updates' && isJsonObject(chunk)) {
        interrupts.push(...interruptsIn(chunk))
        yield* sayTools(chunk, output)
      }
    }
    if (run.signal.aborted) throw modelAborted(run.signal)
    if (interrupts.length === 0) {
      if (reason === undefined && requireFinishReason) throw modelError('no finish reason')
      if (reason !== undefined && CUT.has(reason)) throw modelError(`finish reason ${reason}`)
      return
    }
    if (onInterrupt === undefined) throw modelError('the graph has asked, and fromLangGraph was given no onInterrupt')
    const answers = await Promise.all(interrupts.map(async (each) => [each.id, await onInterrupt(each)] as const))
    const [first] = answers
    resume = answers.length > 1 ? Object.fromEntries(answers.map(([id, value]) => [String(id), value])) : first?.[1]
  }
}

/** What is read of a message of LangChain, whole or a chunk. */
interface ReadMessage {
  readonly type: string
  readonly id: string
  readonly content: unknown
  readonly reason: string | undefined
  readonly raw: JsonObject
}

function read(message: unknown): ReadMessage {
  const raw: JsonObject = isJsonObject(message) ? message : {}
  // Messages are objects of classes, whose type is a getter or a method by version.
  const type =
    typeof raw['getType'] === 'function' ? String(Reflect.apply(raw['getType'], raw, [])) : String(raw['type'])
  const metadata = isJsonObject(raw['response_metadata']) ? raw['response_metadata'] : {}
  const reason = REASON_KEYS.map((key) => metadata[key]).find((found) => typeof found === 'string' && found !== '')
  return { type, id: String(raw['id']), content: raw['content'], reason: reason as string | undefined, raw }
}

function* sayMessage({ type, id, content }: ReadMessage, output: ModelOutput): Generator<AgentOutput> {
  if (type !== 'ai' && type !== 'AIMessageChunk') return
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [{ type: 'text', text: content }]
  for (const block of blocks) {
    const thought = [block['reasoning'], block['thinking']].find((found) => typeof found === 'string')
    if (typeof thought === 'string') {
      const said = output.think(id, thought)
      if (said !== undefined) yield said
      continue
    }
    const { text } = block
    if (typeof text !== 'string' || text === '') continue
    const whole = output.thought(id)
    if (whole !== undefined) yield whole
    yield text
  }
}

/** Calls are whole in what a node has added, and results are messages of their own. */
function* sayTools(chunk: JsonObject, output: ModelOutput): Generator<AgentOutput> {
  for (const update of Object.values(chunk)) {
    const messages = isJsonObject(update) && Array.isArray(update['messages']) ? update['messages'] : []
    for (const { type, raw } of messages.map(read)) {
      const calls = type === 'ai' && Array.isArray(raw['tool_calls']) ? raw['tool_calls'].filter(isJsonObject) : []
      for (const { id, name, args } of calls)
        yield output.tool(String(id), { name: String(name), arguments: args ?? {}, status: 'running' })
      if (type !== 'tool') continue
      const { name } = raw
      const hasFailed = raw['status'] === 'error'
      const result = hasFailed ? { error: 'The tool failed.' } : { result: raw['content'] ?? null }
      const status = hasFailed ? 'failed' : 'complete'
      yield output.tool(String(raw['tool_call_id']), { name: typeof name === 'string' ? name : '', ...result, status })
    }
  }
}

function interruptsIn(chunk: JsonObject): LangGraphInterrupt[] {
  const found = chunk['__interrupt__']
  return (Array.isArray(found) ? found : []).filter(isJsonObject).map(({ id, interrupt_id: older, value }) => {
    const named = id ?? older
    return { id: typeof named === 'string' ? named : undefined, value }
  })
}
