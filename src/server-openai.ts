export type { FromOpenAiOptions, OpenAiEnd, OpenAiStream } from './server/models/from-openai.ts'
export { fromOpenAi } from './server/models/from-openai.ts'
export type { ModelTool, ModelTools } from './server/models/run-model-tool.ts'
export type { ModelRun } from './server/models/model-output.ts'
