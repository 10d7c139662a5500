export type { LangGraphCallbacks } from './server/models/lang-graph-models.ts'
export type {
  FromLangGraphOptions,
  LangGraphConfig,
  LangGraphInterrupt,
  LangGraphStream,
} from './server/models/from-lang-graph.ts'
export { fromLangGraph } from './server/models/from-lang-graph.ts'
export type { ModelRun } from './server/models/model-output.ts'
export type { LangChainFilePart, LangChainMessage } from './server/models/lang-chain-messages.ts'
export { langChainMessages } from './server/models/lang-chain-messages.ts'
export type { FileContent, FileReference, ResolveFile } from './server/conversation/model-file.ts'
export type { ChatMessagesOptions, ChatRun } from './server/conversation/model-turns.ts'
