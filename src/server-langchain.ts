export type { FromLangGraphOptions, LangGraphInterrupt, LangGraphStream } from './server/models/from-lang-graph.ts'
export { fromLangGraph } from './server/models/from-lang-graph.ts'
export type { ModelRun } from './server/models/model-output.ts'
