export { fromAiSdk } from './server/models/from-ai-sdk.ts'
export {
  fromAnthropic,
  type AnthropicMessage,
  anthropicMessages,
  type AnthropicEnd,
} from './server/models/from-anthropic.ts'
export type { LangGraphConfig } from './server/models/from-lang-graph.ts'
export { fromLangGraph } from './server/models/from-lang-graph.ts'
export type { LangChainMessage } from './server/models/lang-chain-messages.ts'
export { langChainMessages } from './server/models/lang-chain-messages.ts'
export { fromOpenAi, type OpenAiMessage, openAiMessages, type OpenAiEnd } from './server/models/from-openai.ts'
export type { ModelTool, ModelTools } from './server/models/run-model-tool.ts'
export type { ResolveFile } from './server/conversation/model-turns.ts'
export type { AiSdkEnd } from './server/models/from-ai-sdk.ts'
