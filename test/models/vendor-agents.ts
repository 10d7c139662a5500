import {
  anthropicMessages,
  fromAnthropic,
  type ModelTools,
  fromAiSdk,
  fromLangGraph,
  langChainMessages,
  fromOpenAi,
  openAiMessages,
} from '../../src/server-models.ts'
import type { AnthropicStream } from '../../src/server/models/from-anthropic.ts'
import type { AiSdkResult } from '../../src/server/models/from-ai-sdk.ts'
import type { OpenAiStream } from '../../src/server/models/from-openai.ts'
import { chatMessages, type AgentOutput, type AgentRun } from '../../src/server.ts'
import type { ChatMessagesOptions } from '../../src/server/conversation/model-turns.ts'
import { anthropicMessage, chatCompletions, openAiResponses, type VendorWire } from './vendor-answers.ts'

// The types of these packages are there only where those of test/models are installed.
const load = async <Module>(...path: readonly string[]): Promise<Module> =>
  import(/* @vite-ignore */ path.join('/')) as Promise<Module>

interface StreamOptions {
  readonly signal: AbortSignal
}

interface OpenAiSdk {
  readonly default: new (options: object) => {
    readonly responses: { create(body: object, options: StreamOptions): Promise<AsyncIterable<object>> }
  }
}

interface AnthropicSdk {
  readonly default: new (options: object) => {
    readonly messages: { create(body: object, options: StreamOptions): Promise<AsyncIterable<object>> }
  }
}

interface AiSdk {
  streamText(options: object): AiSdkResult
}

type ChatModel = new (options: object) => {
  invoke(messages: unknown, config?: unknown): Promise<object>
}

interface LangGraph {
  readonly StateGraph: new (state: unknown) => GraphBuilder
  readonly MessagesAnnotation: unknown
}

interface GraphBuilder {
  addNode(name: string, node: (state: { messages: readonly object[] }, config: unknown) => unknown): GraphBuilder
  addEdge(from: string, to: string): GraphBuilder
  compile(options?: object): { stream(input: unknown, options: object): Promise<AsyncIterable<unknown>> }
}

const { default: OpenAI } = await load<OpenAiSdk>('openai')
const { default: Anthropic } = await load<AnthropicSdk>('@anthropic-ai', 'sdk')
const { streamText } = await load<AiSdk>('ai')
const { createOpenAI } = await load<{ createOpenAI(options: object): (model: string) => unknown }>('@ai-sdk', 'openai')
const { createAnthropic } = await load<{ createAnthropic(options: object): (model: string) => unknown }>(
  '@ai-sdk',
  'anthropic',
)
const { ChatOpenAI } = await load<{ readonly ChatOpenAI: ChatModel }>('@langchain', 'openai')
const { ChatAnthropic } = await load<{ readonly ChatAnthropic: ChatModel }>('@langchain', 'anthropic')
const { StateGraph, MessagesAnnotation } = await load<LangGraph>('@langchain', 'langgraph')

export interface VendorAgentOptions extends ChatMessagesOptions {
  /** Tools of the helpers that carry them out. @default {} */
  readonly tools?: ModelTools
}

/** An agent of a model helper, the real SDK of its vendor, and the wire format in which that one asks. */
export interface VendorAgent {
  readonly name: string
  readonly wire: VendorWire
  /** @param origin of a `serveVendor` that answers in `wire` */
  answer(run: AgentRun, origin: string, options?: VendorAgentOptions): Promise<AsyncGenerator<AgentOutput, unknown>>
}

/** Every model helper with every SDK that it is documented for. */
export const VENDOR_AGENTS: readonly VendorAgent[] = [
  {
    name: 'fromOpenAi with openai',
    wire: openAiResponses,
    async answer(run, origin, { tools = {}, ...options } = {}) {
      const client = new OpenAI({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
      const messages = await openAiMessages(run, options)
      const ask = (added: object[]): OpenAiStream =>
        client.responses.create({ model: 'm', input: [...messages, ...added], stream: true }, { signal: run.signal })
      return fromOpenAi(ask, run, { tools })
    },
  },
  {
    name: 'fromAnthropic with @anthropic-ai/sdk',
    wire: anthropicMessage,
    async answer(run, origin, { tools = {}, ...options } = {}) {
      const client = new Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
      const messages = await anthropicMessages(run, options)
      const ask = (added: object[]): AnthropicStream =>
        client.messages.create(
          { model: 'm', max_tokens: 9, messages: [...messages, ...added], stream: true },
          { signal: run.signal },
        )
      return fromAnthropic(ask, run, { tools })
    },
  },
  {
    name: 'fromAiSdk with @ai-sdk/openai',
    wire: openAiResponses,
    answer: (run, origin, options) => fromModel(createOpenAI({ apiKey: 'none', baseURL: origin })('m'), run, options),
  },
  {
    name: 'fromAiSdk with @ai-sdk/anthropic',
    wire: anthropicMessage,
    answer: (run, origin, options) =>
      fromModel(createAnthropic({ apiKey: 'none', baseURL: origin })('m'), run, options),
  },
  {
    name: 'fromLangGraph with @langchain/openai',
    wire: chatCompletions,
    answer: (run, origin, options) =>
      fromGraph(
        new ChatOpenAI({ model: 'm', apiKey: 'none', maxRetries: 0, configuration: { baseURL: origin } }),
        run,
        options,
      ),
  },
  {
    name: 'fromLangGraph with @langchain/anthropic',
    wire: anthropicMessage,
    answer: (run, origin, options) =>
      fromGraph(
        new ChatAnthropic({ model: 'm', apiKey: 'none', maxRetries: 0, maxTokens: 9, anthropicApiUrl: origin }),
        run,
        options,
      ),
  },
]

async function fromModel(
  model: unknown,
  run: AgentRun,
  options?: ChatMessagesOptions,
): Promise<AsyncGenerator<AgentOutput, unknown>> {
  const messages = await chatMessages(run, options)
  return fromAiSdk(
    streamText({ model, messages, maxOutputTokens: 9, maxRetries: 0, abortSignal: run.signal, onError: () => {} }),
    run,
  )
}

async function fromGraph(
  model: InstanceType<ChatModel>,
  run: AgentRun,
  options?: ChatMessagesOptions,
): Promise<AsyncGenerator<AgentOutput, unknown>> {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
    .addEdge('__start__', 'model')
    .addEdge('model', '__end__')
    .compile()
  const messages = await langChainMessages(run, options)
  return fromLangGraph((_resume, config) => graph.stream({ messages }, config), run)
}
