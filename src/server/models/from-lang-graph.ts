import { TOOL_FAILED } from '../../base/tool-failures.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import type { AnyAsk, AnyResult, Ask } from '../run/ask.ts'
import {
  createGraphModels,
  tasksIn,
  type GraphModels,
  type LangGraphCallbacks,
  type StreamedCall,
  blocksIn,
  type ContentBlock,
} from './lang-graph-models.ts'
import { modelAborted, modelError } from './model-error.ts'
import {
  createModelOutput,
  DENIED,
  type ModelOutput,
  type ModelRun,
  rememberAnswer,
  type HelperEnd,
  sealedMessages,
} from './model-output.ts'

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

/** Options for `graph.stream`: pass all of them, with others of the app next to them. */
export interface LangGraphConfig {
  /** Modes that the helper reads. Its arrays are mutable, as the types of LangGraph want them. */
  streamMode: ('messages' | 'updates')[]
  /** Aborts with the run. */
  signal: AbortSignal
  /** Report how each call of a model ended, which LangGraph does not stream. */
  callbacks: LangGraphCallbacks[]
}

export interface FromLangGraphOptions {
  /**
   * Asks the user what the graph has asked by `ask`, and resolves with what the graph resumes with. `ask` is `run.ask`, and shows an
   * approval that the user did not give as a denied call: the one that `subject.toolCallId` names, or the only one without a result.
   * Absent: an interrupt is a failure, so that nothing continues without an answer.
   */
  readonly onInterrupt?: ((interrupt: LangGraphInterrupt, ask: Ask) => Promise<unknown>) | undefined
  /**
   * Whether a model that gives no finish reason has failed. LangChain does not report a stream that was cut; vendors give a reason at its
   * end, so an answer without one may have been cut. False is for models that never give one. @default true
   */
  readonly requireFinishReason?: boolean | undefined
  /**
   * Names of nodes whose text and reasoning are not part of the answer, such as a router or a summarizer. Everything inside such a node is
   * left out with it; calls of tools are shown. @default []
   */
  readonly hiddenNodes?: readonly string[] | undefined
}

/**
 * Says what a graph of LangGraph streams, or an agent of LangChain: text, reasoning, tools. Each message of a model is a paragraph; those of
 * nodes that run at the same time are shown one after the other, in the order of their first words. The source is called once with nothing,
 * and after each interrupt with what to resume with: `new Command({ resume })`. Pass its second argument on to `graph.stream`. Throws what
 * the graph throws, and for a model that was cut off, was blocked, called a tool that nobody carried out, or whose text the graph has not
 * streamed whole.
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { fromLangGraph, langChainMessages } from 'capstan/server/models'
 *
 * // stands for a graph that was compiled
 * declare const graph: { stream(input: object, options: object): Promise<AsyncIterable<unknown>> }
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages = await langChainMessages(run)
 *     yield* fromLangGraph((_resume, config) => graph.stream({ messages }, config), run)
 *   },
 * })
 * ```
 */
export async function* fromLangGraph(
  source: (resume: unknown, config: LangGraphConfig) => LangGraphStream,
  run: ModelRun,
  options: FromLangGraphOptions = {},
): AsyncGenerator<AgentOutput, void> {
  yield* rememberAnswer('langchain', converse(source, run, options), run)
}

async function* converse(
  source: (resume: unknown, config: LangGraphConfig) => LangGraphStream,
  run: ModelRun,
  { onInterrupt, requireFinishReason = true, hiddenNodes = [] }: FromLangGraphOptions,
): AsyncGenerator<AgentOutput, HelperEnd<void>> {
  const output = createModelOutput(run)
  const calls = createGraphCalls(output)
  const isShown = (metadata: unknown): boolean => !nodesIn(metadata).some((node) => hiddenNodes.includes(node))
  const models = createGraphModels({ isShown, requireFinishReason })
  const texts = createGraphTexts(output)
  const history = createGraphHistory(models)
  const config: LangGraphConfig = {
    streamMode: ['messages', 'updates'],
    signal: run.signal,
    callbacks: [models.callbacks],
  }
  let resume: unknown
  for (;;) {
    const interrupts: LangGraphInterrupt[] = []
    try {
      for await (const step of await source(resume, config)) {
        for (const error of models.toolErrors()) run.report?.(error)
        const pair: readonly unknown[] = Array.isArray(step) ? step.slice(-2) : []
        const [mode, chunk] = pair
        if (mode === 'messages' && Array.isArray(chunk)) {
          const message = read(chunk[0])
          if (!isOfModel(message) || !isShown(chunk[1])) continue
          models.read(message.raw, message.isChunk)
          yield* texts.say({ ...message, call: models.receive(message.raw) }, chunk[1])
        } else if (mode === 'updates' && isJsonObject(chunk)) {
          interrupts.push(...interruptsIn(chunk, calls))
          const added = messagesIn(chunk)
          for (const { node, message } of added) {
            if (isOfModel(message) && !hiddenNodes.includes(node)) models.read(message.raw, false)
            history.add(message)
          }
          const ids = added.map(({ message }) => message.id)
          yield* texts.beside(calls.update(chunk, depthOf(step)), ids)
        }
      }
    } catch (error) {
      if (run.signal.aborted) throw error
      // The error of a tool that ends the graph is the failure of the run.
      for (const each of models.toolErrors()) if (each !== error) run.report?.(each)
      yield* texts.flush()
      throw models.explain(error)
    }
    if (run.signal.aborted) throw modelAborted(run.signal)
    for (const error of models.toolErrors()) run.report?.(error)
    yield* texts.flush()
    if (interrupts.length === 0) {
      const failure = models.failure() ?? unsettled(calls)
      if (failure !== undefined) throw failure
      return { end: undefined, items: sealedMessages(history.messages()) }
    }
    if (onInterrupt === undefined) throw modelError('the graph has asked, and fromLangGraph was given no onInterrupt')
    yield* texts.beside(calls.show('waiting'))
    const ask = calls.observe(run.ask)
    const answers = await Promise.all(interrupts.map(async (each) => [each.id, await onInterrupt(each, ask)] as const))
    yield* texts.beside(calls.show('running'))
    const [first] = answers
    resume = answers.length > 1 ? Object.fromEntries(answers.map(([id, value]) => [String(id), value])) : first?.[1]
  }
}

/** How many graphs are around the one that a step is of. Only steps of streamed subgraphs name them. */
function depthOf(step: unknown): number {
  const around: unknown = Array.isArray(step) && step.length > 2 ? step[0] : undefined
  return Array.isArray(around) ? around.length : 0
}

/** The node that a message is from, and those around it. */
function nodesIn(metadata: unknown): readonly string[] {
  const { langgraph_node: node } = isJsonObject(metadata) ? metadata : {}
  const around = tasksIn(metadata).map((task) => task.split(':')[0] ?? '')
  return typeof node === 'string' ? [...around, node] : around
}

/** The messages that nodes have added. */
function messagesIn(update: JsonObject): { readonly node: string; readonly message: ReadMessage }[] {
  return Object.entries(update).flatMap(([node, added]) =>
    isJsonObject(added) && Array.isArray(added['messages'])
      ? added['messages'].map((message) => ({ node, message: read(message) }))
      : [],
  )
}

/** The messages of the models and the results of their tools, in the form of `langChainMessages`. */
interface GraphHistory {
  add(message: ReadMessage): void
  messages(): readonly object[]
}

function createGraphHistory(models: GraphModels): GraphHistory {
  const added = new Map<string, object>()
  const callIds = new Set<unknown>()
  return {
    add({ type, id, content, raw }) {
      // A node may add what was there before.
      if (type === 'ai' && models.hasMade(id)) {
        const { tool_calls: calls, additional_kwargs, response_metadata } = raw
        added.set(id, { role: 'assistant', id, content, tool_calls: calls, additional_kwargs, response_metadata })
        for (const call of Array.isArray(calls) ? calls.filter(isJsonObject) : []) callIds.add(call['id'])
      } else if (type === 'tool' && callIds.has(raw['tool_call_id'])) {
        const { tool_call_id, name, status } = raw
        added.set(String(tool_call_id), { role: 'tool', content, tool_call_id, name, status })
      }
    },
    messages: () => [...added.values()],
  }
}

/** A call of a tool without a result, which nobody will carry out. */
function unsettled({ open }: GraphCalls): Error | undefined {
  const names = open.map(({ name }) => name).join(', ')
  return names === '' ? undefined : modelError(`the graph ended without a result of its call of ${names}`)
}

/** What is read of a message of LangChain, whole or a chunk. */
interface ReadMessage {
  readonly type: string
  readonly isChunk: boolean
  readonly id: string
  readonly content: unknown
  readonly raw: JsonObject
}

function read(message: unknown): ReadMessage {
  const raw: JsonObject = isJsonObject(message) ? message : {}
  // Messages are objects of classes, whose type is a getter or a method by version.
  const type =
    typeof raw['getType'] === 'function' ? String(Reflect.apply(raw['getType'], raw, [])) : String(raw['type'])
  const isChunk = type === 'AIMessageChunk' || typeof raw['concat'] === 'function'
  return { type, isChunk, id: String(raw['id']), content: raw['content'], raw }
}

function isOfModel({ type, isChunk }: ReadMessage): boolean {
  // Only models stream chunks. Those of a response that does not name its role have their own type.
  return type === 'ai' || isChunk
}

/** Calls of tools in a graph. */
interface GraphCalls {
  /** Those without a result. */
  readonly open: LangGraphInterrupt['toolCalls']
  /**
   * Takes what a node has added: calls are whole there, and results are messages.
   *
   * @param depth of its graph: how many graphs are around it
   */
  update(chunk: JsonObject, depth: number): Generator<AgentOutput>
  /** Shows the open calls as the graph is now, and those that were denied as such. */
  show(status: 'waiting' | 'running'): Generator<AgentOutput>
  /** `ask` that remembers which call the user has denied. */
  observe(ask: Ask): Ask
}

function createGraphCalls(output: ModelOutput): GraphCalls {
  const open = new Map<string, { readonly id: string; readonly name: string; readonly input: unknown }>()
  /** Ids of events. */
  const denied = new Set<string>()
  /** How many graphs are around each call and each result: a graph repeats what the graphs inside it have added. */
  const depths = new Map<string, number>()

  return {
    get open() {
      return [...open.values()]
    },
    *update(chunk, depth) {
      const isRepeated = (key: string): boolean => {
        const known = depths.get(key)
        if (known !== undefined && known > depth) return true
        depths.set(key, depth)
        return false
      }
      for (const update of Object.values(chunk)) {
        const messages = isJsonObject(update) && Array.isArray(update['messages']) ? update['messages'] : []
        for (const { type, raw } of messages.map(read)) {
          const made = type === 'ai' && Array.isArray(raw['tool_calls']) ? raw['tool_calls'].filter(isJsonObject) : []
          for (const { id, name, args } of made) {
            if (isRepeated(`${String(raw['id'])} ${String(id)}`)) continue
            const call = { name: String(name), arguments: args ?? {} }
            yield output.tool(String(id), { ...call, status: 'running' })
            open.set(String(id), { id: output.eventId(String(id)), name: call.name, input: call.arguments })
          }
          if (type !== 'tool') continue
          const callId = String(raw['tool_call_id'])
          if (isRepeated(callId) && !open.has(callId)) continue
          const name = typeof raw['name'] === 'string' ? raw['name'] : ''
          open.delete(callId)
          // What a tool gives that was carried out in spite of it is shown as it is.
          if (raw['status'] !== 'error')
            yield output.tool(callId, { name, result: raw['content'] ?? null, status: 'complete' })
          else if (denied.has(output.eventId(callId))) yield output.tool(callId, { name, ...DENIED })
          else yield output.tool(callId, { name, error: TOOL_FAILED, status: 'failed' })
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

/** A message that a graph streams. */
interface GraphText {
  readonly id: string
  readonly content: unknown
  /** False: it is whole. */
  readonly isChunk: boolean
  /** The model call that streams it. Undefined: no callback has reported one. */
  readonly call: StreamedCall | undefined
}

/**
 * Queue of the messages that models of a graph stream. Each message is one paragraph: those of nodes that run at the same time are shown one
 * after the other, in the order of their first words. The thought of a message is whole before anything else.
 */
interface GraphTexts {
  /** @param metadata of the message, as the graph streams it */
  say(message: GraphText, metadata: unknown): Generator<AgentOutput>
  /** Shows parts behind everything that was streamed. @param ids of messages that are whole, for those without a call */
  beside(outputs: Iterable<AgentOutput>, ids?: readonly string[]): Generator<AgentOutput>
  /** Shows everything that waits: the stream of the graph has ended. */
  flush(): Generator<AgentOutput>
}

/** One message, or the parts between two. */
interface Paragraph {
  readonly key: string | undefined
  readonly id: string | undefined
  readonly call: StreamedCall | undefined
  readonly place: Place | undefined
  /** More of it may arrive. */
  isOpen: boolean
  readonly waiting: (() => Iterable<AgentOutput>)[]
}

/** Where in a run of the graph a message comes from. */
interface Place {
  /** The tasks around that of the node. */
  readonly around: string
  /** All tasks of a step end before the next step starts. */
  readonly step: number
}

function createGraphTexts(output: ModelOutput): GraphTexts {
  const writer = createWriter(output)
  /** The first one is shown as it arrives, and the others wait for its end. */
  const paragraphs: Paragraph[] = []
  /** Calls that have streamed chunks without text: the text may be only in the message at their end. */
  const silent = new Map<string, StreamedCall>()

  const add = (paragraph: Partial<Paragraph>): Paragraph => {
    const whole = { key: undefined, id: undefined, call: undefined, place: undefined, isOpen: false, waiting: [] }
    const added = { ...whole, ...paragraph }
    paragraphs.push(added)
    return added
  }

  function* advance(isOver = false): Generator<AgentOutput> {
    for (const [key, call] of silent) {
      const rest = call.finish(isOver)
      if (rest !== undefined) silent.delete(key)
      if (rest) add({ key, waiting: [() => writer.write(key, [{ text: rest }])] })
    }
    for (let [first] = paragraphs; first !== undefined; [first] = paragraphs) {
      for (const write of first.waiting.splice(0)) yield* write()
      const { key, call, isOpen } = first
      const rest = call?.finish(isOver)
      if (key !== undefined && rest) yield* writer.write(key, [{ text: rest }])
      if (rest === undefined && isOpen && !isOver) return
      paragraphs.shift()
    }
  }

  return {
    *say({ id, content, isChunk, call }, metadata) {
      const blocks = blocksIn(content)
      const place = placeOf(metadata)
      for (const each of paragraphs)
        if (each.place?.around === place.around && each.place.step < place.step) each.isOpen = false
      yield* advance()
      // Some gateways give every message the same id.
      const key = call?.runId ?? `${tasksIn(metadata).join('|')} ${id}`
      if (blocks.length > 0) {
        silent.delete(key)
        const known = paragraphs.find((each) => each.key === key)
        const paragraph = known ?? add({ key, id, call, place, isOpen: true, waiting: [] })
        paragraph.waiting.push(() => writer.write(key, blocks))
        paragraph.isOpen &&= isChunk
      } else if (call !== undefined && !paragraphs.some((each) => each.key === key)) silent.set(key, call)
      yield* advance()
    },
    *beside(outputs, ids = []) {
      for (const each of paragraphs)
        if (each.call === undefined && each.id !== undefined && ids.includes(each.id)) each.isOpen = false
      yield* advance()
      // Made now, since the calls of tools are compared with what was asked.
      const parts = [...outputs]
      if (parts.length > 0) add({ waiting: [() => writer.beside(parts)] })
      yield* advance()
    },
    *flush() {
      yield* advance(true)
      yield* writer.beside([])
    },
  }
}

function placeOf(metadata: unknown): Place {
  const { langgraph_step: step } = isJsonObject(metadata) ? metadata : {}
  return { around: tasksIn(metadata).slice(0, -1).join('|'), step: typeof step === 'number' ? step : 0 }
}

/** Writes paragraphs one after the other. */
interface Writer {
  /** @param key names the message */
  write(key: string, blocks: readonly ContentBlock[]): Generator<AgentOutput>
  beside(outputs: Iterable<AgentOutput>): Generator<AgentOutput>
}

function createWriter(output: ModelOutput): Writer {
  /** The message whose text is the last part of the answer. */
  let last: string | undefined
  /** The message that is thinking. */
  let thinking: string | undefined
  const shown = new Set<string | undefined>()

  function* endThought(): Generator<AgentOutput> {
    const whole = thinking === undefined ? undefined : output.thought(thinking)
    thinking = undefined
    if (whole !== undefined) yield* part(whole)
  }

  function* part(each: AgentOutput): Generator<AgentOutput> {
    // The part is below the text, so that text after it is a part as well.
    if (typeof each !== 'string' && each.kind === 'event' && !shown.has(each.id)) {
      shown.add(each.id)
      last = undefined
    }
    yield each
  }

  return {
    *write(key, blocks) {
      for (const block of blocks) {
        if ('thought' in block) {
          if (thinking !== key) yield* endThought()
          thinking = key
          const said = output.think(key, block.thought)
          if (said !== undefined) yield* part(said)
          continue
        }
        yield* endThought()
        if (last !== undefined && last !== key) yield '\n\n'
        last = key
        yield block.text
      }
    },
    *beside(outputs) {
      yield* endThought()
      for (const each of outputs) yield* part(each)
    },
  }
}
