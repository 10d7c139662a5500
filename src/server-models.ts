export { fromAiSdk, type AiSdkEnd, type AiSdkResult, type FromAiSdkOptions } from './server/models/from-ai-sdk.ts'
export {
  fromAnthropic,
  type AnthropicEnd,
  type AnthropicStream,
  type FromAnthropicOptions,
} from './server/models/from-anthropic.ts'
export { anthropicMessages, type AnthropicFilePart, type AnthropicMessage } from './server/models/anthropic-messages.ts'
export {
  fromLangGraph,
  type FromLangGraphOptions,
  type LangGraphConfig,
  type LangGraphInterrupt,
  type LangGraphStream,
} from './server/models/from-lang-graph.ts'
export type { LangGraphCallbacks } from './server/models/lang-graph-models.ts'
export {
  langChainMessages,
  type LangChainFilePart,
  type LangChainMessage,
} from './server/models/lang-chain-messages.ts'
export { fromOpenAi, type FromOpenAiOptions, type OpenAiEnd, type OpenAiStream } from './server/models/from-openai.ts'
export { openAiMessages, type OpenAiFilePart, type OpenAiMessage } from './server/models/openai-messages.ts'
export type { ModelRoundsOptions } from './server/models/model-rounds.ts'
export type { ModelTool, ModelTools } from './server/models/run-model-tool.ts'
export type { ModelRun } from './server/models/model-output.ts'
export type { FileContent, FileReference, ResolveFile } from './server/conversation/model-file.ts'
export type { ChatMessagesOptions, ChatRun } from './server/conversation/model-turns.ts'
