export type { AiSdkEnd, AiSdkResult, FromAiSdkOptions } from './server/models/from-ai-sdk.ts'
export { fromAiSdk } from './server/models/from-ai-sdk.ts'
export type { AnthropicEnd, AnthropicStream, FromAnthropicOptions } from './server/models/from-anthropic.ts'
export { fromAnthropic } from './server/models/from-anthropic.ts'
export type { AnthropicFilePart, AnthropicMessage } from './server/models/anthropic-messages.ts'
export { anthropicMessages } from './server/models/anthropic-messages.ts'
export type {
  FromLangGraphOptions,
  LangGraphConfig,
  LangGraphInterrupt,
  LangGraphStream,
} from './server/models/from-lang-graph.ts'
export { fromLangGraph } from './server/models/from-lang-graph.ts'
export type { LangGraphCallbacks } from './server/models/lang-graph-models.ts'
export type { LangChainFilePart, LangChainMessage } from './server/models/lang-chain-messages.ts'
export { langChainMessages } from './server/models/lang-chain-messages.ts'
export type { FromOpenAiOptions, OpenAiEnd, OpenAiStream } from './server/models/from-openai.ts'
export { fromOpenAi } from './server/models/from-openai.ts'
export type { OpenAiFilePart, OpenAiMessage } from './server/models/openai-messages.ts'
export { openAiMessages } from './server/models/openai-messages.ts'
export type { ModelRoundsOptions } from './server/models/model-rounds.ts'
export type { ModelTool, ModelTools } from './server/models/run-model-tool.ts'
export type { ModelRun } from './server/models/model-output.ts'
export type { FileContent, FileReference, ResolveFile } from './server/conversation/model-file.ts'
export type { ChatMessagesOptions, ChatRun } from './server/conversation/model-turns.ts'
