export type { AnthropicEnd, AnthropicStream, FromAnthropicOptions } from './server/models/from-anthropic.ts'
export { fromAnthropic } from './server/models/from-anthropic.ts'
export type { ModelTool, ModelTools } from './server/models/run-model-tool.ts'
export type { ModelRun } from './server/models/model-output.ts'
