import { fromLangGraph, langChainMessages, type ModelTools } from '../../../src/server-models.ts'
import type { FromLangGraphOptions } from '../../../src/server/models/from-lang-graph.ts'
import type { AgentOutput, AgentRun } from '../../../src/server.ts'
import type { ChatWire } from './chat-wires.ts'

interface ChatModel {
  invoke(messages: unknown, config?: unknown): Promise<object>
  stream(messages: unknown, config?: unknown): Promise<AsyncIterable<Chunk>>
  bindTools(tools: readonly object[]): ChatModel
}

interface Chunk {
  concat(chunk: Chunk): Chunk
}

type ChatModelClass = new (options: object) => ChatModel

interface State {
  readonly messages: readonly { readonly tool_calls?: readonly object[] }[]
}

interface Graph {
  addNode(name: string, node: ((state: State, config: unknown) => unknown) | object): Graph
  addEdge(from: string, to: string): Graph
  addConditionalEdges(from: string, route: (state: State) => string, to: readonly string[]): Graph
  compile(): { stream(input: unknown, options: object): Promise<AsyncIterable<unknown>> }
}

interface LangGraph {
  readonly StateGraph: new (state: unknown) => Graph
  readonly MessagesAnnotation: unknown
  readonly ToolNode: new (tools: readonly object[]) => object
}

// The types of these packages are there only where those of test/models are installed.
const load = async <Module>(...path: readonly string[]): Promise<Module> =>
  import(/* @vite-ignore */ path.join('/')) as Promise<Module>

const { StateGraph, MessagesAnnotation } = await load<LangGraph>('@langchain', 'langgraph')
const { ToolNode } = await load<LangGraph>('@langchain', 'langgraph', 'prebuilt')
const { tool } = await load<{
  tool(run: (input: object) => unknown, fields: object): object
}>('@langchain', 'core', 'tools')
const { ChatOpenAI } = await load<{ readonly ChatOpenAI: ChatModelClass }>('@langchain', 'openai')
const { ChatAnthropic } = await load<{ readonly ChatAnthropic: ChatModelClass }>('@langchain', 'anthropic')
const { ChatOllama } = await load<{ readonly ChatOllama: ChatModelClass }>('@langchain', 'ollama')
const { ChatGoogleGenerativeAI } = await load<{ readonly ChatGoogleGenerativeAI: ChatModelClass }>(
  '@langchain',
  'google-genai',
)

/** How a node calls its model: `whole` is `invoke` of a model that never streams. */
export type Calling = 'invoke' | 'stream' | 'whole'

/** Options of a row, besides those of the helper. */
export interface GraphSetup {
  readonly wire: ChatWire['name']
  readonly how: Calling
  /** `one` node; `two` of them; three `parallel` ones; with `tools`; that one `inside` another; a model whose answer is `inner`, for the node alone; one that is `nostream`. @default 'one' */
  readonly graph?: 'one' | 'two' | 'parallel' | 'tools' | 'inside' | 'inner' | 'nostream'
  /** Whether the app passes on what the helper gives to its source. @default true */
  readonly passesConfig?: boolean
  /** The app has a callback that LangChain does not wait for, and that ends after the graph. @default false */
  readonly hasSlowCallback?: boolean
  /** Sees each step of the graph before the helper does. */
  readonly onStep?: (step: unknown) => void
}

/** The chat model of LangChain for a wire format. */
function modelOf({ wire, how }: GraphSetup, origin: string): ChatModel {
  const common = { model: 'm', apiKey: 'none', maxRetries: 0 }
  const model = streamingModel(wire, common, origin)
  // Not every class has it as an option.
  return how === 'whole' ? Object.assign(model, { disableStreaming: true }) : model
}

function streamingModel(wire: GraphSetup['wire'], common: object, origin: string): ChatModel {
  switch (wire) {
    case 'completions':
    case 'responses':
      return new ChatOpenAI({
        ...common,
        configuration: { baseURL: origin },
        useResponsesApi: wire === 'responses',
        ...(wire === 'responses' && { zdrEnabled: true }),
      })
    case 'messages':
      return new ChatAnthropic({ ...common, maxTokens: 9, anthropicApiUrl: origin })
    case 'ollama':
      return new ChatOllama({ ...common, baseUrl: origin })
    case 'gemini':
      return new ChatGoogleGenerativeAI({ ...common, baseUrl: origin })
  }
}

/** An answer of `fromLangGraph` with a real chat model of LangChain, in a real graph. */
export async function graphAnswer(
  run: AgentRun,
  origin: string,
  tools: ModelTools,
  { setup, ...options }: FromLangGraphOptions & { readonly setup: GraphSetup },
): Promise<AsyncGenerator<AgentOutput, unknown>> {
  const messages = await langChainMessages(run)
  const bound = Object.entries(tools).map(([name, { execute }]) =>
    tool(async (input) => execute(input, { signal: run.signal }), {
      name,
      description: name,
      schema: { type: 'object', properties: {}, additionalProperties: true },
    }),
  )
  const plain = modelOf(setup, origin)
  const model = setup.graph === 'tools' || setup.graph === 'inside' ? plain.bindTools(bound) : plain
  const call = async (state: State, config: unknown): Promise<object> => {
    if (setup.how !== 'stream') return model.invoke(state.messages, config)
    let whole: Chunk | undefined
    for await (const chunk of await model.stream(state.messages, config)) whole = whole?.concat(chunk) ?? chunk
    return whole ?? {}
  }
  const say = async (state: State, config: unknown): Promise<object> => ({ messages: [await call(state, config)] })
  const graph = graphOf(setup.graph ?? 'one', say, call, bound)
  let endGraph = (): void => {}
  const graphEnded = new Promise<void>((resolve) => {
    endGraph = resolve
  })
  const slow = { handleChatModelStart: () => graphEnded }
  const tap = async function* (steps: Promise<AsyncIterable<unknown>>): AsyncGenerator {
    try {
      for await (const step of await steps) {
        setup.onStep?.(step)
        yield step
      }
    } finally {
      endGraph()
    }
  }
  const own = { streamMode: ['messages', 'updates'], signal: run.signal }
  return fromLangGraph(
    (_resume, { callbacks, ...config }) => {
      const subgraphs = setup.graph === 'inside'
      const given = {
        ...config,
        subgraphs,
        callbacks: setup.hasSlowCallback === true ? [...callbacks, slow] : callbacks,
      }
      return tap(graph.stream({ messages }, setup.passesConfig === false ? own : given))
    },
    run,
    options,
  )
}

type Node = (state: State, config: unknown) => Promise<object>

function graphOf(
  kind: NonNullable<GraphSetup['graph']>,
  say: Node,
  call: Node,
  tools: readonly object[],
): ReturnType<Graph['compile']> {
  const graph = new StateGraph(MessagesAnnotation).addNode('model', say).addEdge('__start__', 'model')
  switch (kind) {
    case 'one':
      return graph.addEdge('model', '__end__').compile()
    case 'two':
      return graph.addNode('editor', say).addEdge('model', 'editor').addEdge('editor', '__end__').compile()
    case 'parallel':
      return ['second', 'third']
        .reduce(
          (wider, name) => wider.addNode(name, say).addEdge('__start__', name).addEdge(name, '__end__'),
          graph.addEdge('model', '__end__'),
        )
        .compile()
    case 'tools':
      return graph
        .addNode('tools', new ToolNode(tools))
        .addConditionalEdges(
          'model',
          ({ messages }) => ((messages.at(-1)?.tool_calls ?? []).length > 0 ? 'tools' : '__end__'),
          ['tools', '__end__'],
        )
        .addEdge('tools', 'model')
        .compile()
    case 'inside':
      return new StateGraph(MessagesAnnotation)
        .addNode('team', graphOf('tools', say, call, tools))
        .addEdge('__start__', 'team')
        .addEdge('team', '__end__')
        .compile()
    case 'inner':
    case 'nostream': {
      const tagged = kind === 'nostream' ? { tags: ['nostream'] } : {}
      return graph
        .addNode('router', async (state, config) => {
          // What it says is for the graph alone.
          await call(state, { ...(config as object), ...tagged })
          return {}
        })
        .addEdge('model', 'router')
        .addEdge('router', '__end__')
        .compile()
    }
  }
}
