import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import type { AnyAsk, AnyResult, Ask } from '../run/ask.ts'
import { modelAborted, modelError } from './model-error.ts'
import { createModelOutput, DENIED, type ModelOutput, type ModelRun } from './model-output.ts'

/** What `graph.stream(input, { streamMode: ['messages', 'updates'] })` gives: pairs of a mode and what it says. */
export type LangGraphStream = AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>

/** What a graph has asked by `interrupt(value)`. */
export interface LangGraphInterrupt {
  /** Names it where several are open. Undefined from older versions. */
  readonly id: string | undefined
  readonly value: unknown
  /** Calls of tools without a result. A tool that interrupts is one of them. */
  readonly toolCalls: readonly {
    /** For `subject.toolCallId` of a prompt. */
    readonly id: string
    readonly name: string
    readonly input: unknown
  }[]
}

export interface FromLangGraphOptions {
  /**
   * Asks the user what the graph has asked by `ask`, and resolves with what the graph resumes with. `ask` is `run.ask`, and shows an
   * approval that the user did not give as a denied call: the one that `subject.toolCallId` names, or the only one without a result.
   * Absent: an interrupt is a failure, so that nothing continues without an answer.
   */
  readonly onInterrupt?: ((interrupt: LangGraphInterrupt, ask: Ask) => Promise<unknown>) | undefined
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
 * import { createAgentHandler } from 'capstan/server'
 * import { fromLangGraph, langChainMessages } from 'capstan/server/langchain'
 *
 * // stands for a graph that was compiled
 * declare const graph: { stream(input: object, options: object): Promise<AsyncIterable<unknown>> }
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const options = { streamMode: ['messages', 'updates'], signal: run.signal }
 *     const messages = await langChainMessages(run)
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
  const calls = createGraphCalls(output)
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
        interrupts.push(...interruptsIn(chunk, calls))
        yield* calls.update(chunk)
      }
    }
    if (run.signal.aborted) throw modelAborted(run.signal)
    if (interrupts.length === 0) {
      if (reason === undefined && requireFinishReason) throw modelError('no finish reason')
      if (reason !== undefined && CUT.has(reason)) throw modelError(`finish reason ${reason}`)
      return
    }
    if (onInterrupt === undefined) throw modelError('the graph has asked, and fromLangGraph was given no onInterrupt')
    yield* calls.show('waiting')
    const ask = calls.observe(run.ask)
    const answers = await Promise.all(interrupts.map(async (each) => [each.id, await onInterrupt(each, ask)] as const))
    yield* calls.show('running')
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

/** Calls of tools in a graph. */
interface GraphCalls {
  /** Those without a result. */
  readonly open: LangGraphInterrupt['toolCalls']
  /** Takes what a node has added: calls are whole there, and results are messages. */
  update(chunk: JsonObject): Generator<AgentOutput>
  /** Shows the open calls as the graph is now, and those that were denied as such. */
  show(status: 'waiting' | 'running'): Generator<AgentOutput>
  /** `ask` that remembers which call the user has denied. */
  observe(ask: Ask): Ask
}

function createGraphCalls(output: ModelOutput): GraphCalls {
  const open = new Map<string, { readonly id: string; readonly name: string; readonly input: unknown }>()
  /** Ids of events. */
  const denied = new Set<string>()

  return {
    get open() {
      return [...open.values()]
    },
    *update(chunk) {
      for (const update of Object.values(chunk)) {
        const messages = isJsonObject(update) && Array.isArray(update['messages']) ? update['messages'] : []
        for (const { type, raw } of messages.map(read)) {
          const made = type === 'ai' && Array.isArray(raw['tool_calls']) ? raw['tool_calls'].filter(isJsonObject) : []
          for (const { id, name, args } of made) {
            const call = { name: String(name), arguments: args ?? {} }
            yield output.tool(String(id), { ...call, status: 'running' })
            open.set(String(id), { id: output.eventId(String(id)), name: call.name, input: call.arguments })
          }
          if (type !== 'tool') continue
          const callId = String(raw['tool_call_id'])
          const name = typeof raw['name'] === 'string' ? raw['name'] : ''
          open.delete(callId)
          // What a tool gives that was carried out in spite of it is shown as it is.
          if (raw['status'] !== 'error')
            yield output.tool(callId, { name, result: raw['content'] ?? null, status: 'complete' })
          else if (denied.has(output.eventId(callId))) yield output.tool(callId, { name, ...DENIED })
          else yield output.tool(callId, { name, error: 'The tool failed.', status: 'failed' })
        }
      }
    },
    *show(status) {
      for (const [callId, { id, name, input }] of open) {
        if (denied.has(id)) open.delete(callId)
        yield output.tool(callId, { name, arguments: input, ...(denied.has(id) ? DENIED : { status }) })
      }
    },
    observe(ask) {
      const observed = async (asked: AnyAsk): Promise<AnyResult> => {
        if (asked.kind !== 'approval' && asked.kind !== 'permission') return (ask as AskAny)(asked)
        const only = open.size === 1 ? [...open.values()][0]?.id : undefined
        const { toolCallId = only } = asked.subject
        const answer = await ask({ ...asked, subject: { ...asked.subject, toolCallId } })
        if (answer.type !== 'allowed' && toolCallId !== undefined) denied.add(toolCallId)
        return answer
      }
      // Each kind of question is answered by `ask` itself.
      return observed as Ask
    },
  }
}

/** `Ask` without its overloads, which name one kind of question each. */
type AskAny = (asked: AnyAsk) => Promise<AnyResult>

function interruptsIn(chunk: JsonObject, calls: GraphCalls): LangGraphInterrupt[] {
  const found = chunk['__interrupt__']
  return (Array.isArray(found) ? found : []).filter(isJsonObject).map(({ id, interrupt_id: older, value }) => {
    const named = id ?? older
    return {
      id: typeof named === 'string' ? named : undefined,
      value,
      get toolCalls() {
        return calls.open
      },
    }
  })
}
