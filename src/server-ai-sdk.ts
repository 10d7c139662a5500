export type { AiSdkEnd, AiSdkResult, FromAiSdkOptions } from './server/models/from-ai-sdk.ts'
export { fromAiSdk } from './server/models/from-ai-sdk.ts'
export type { ModelRun } from './server/models/model-output.ts'
