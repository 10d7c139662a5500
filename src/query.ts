export { assistQueryOptions } from './query/assist-query-options.ts'
export type { AssistQuery } from './query/assist-query-options.ts'
export { assistStreamQueryOptions } from './query/assist-stream-query-options.ts'
export type { AssistAnswer, AssistStreamQueryOptions } from './query/assist-stream-query-options.ts'
export { healthQueryOptions } from './query/health-query-options.ts'
export type { HealthQuery, HealthQueryOptions } from './query/health-query-options.ts'
export { queryKeys } from './query/query-keys.ts'
export type { CapQueryKey } from './query/query-keys.ts'
export type { AgentQueryOptions, RunQueryOptions } from './query/run-query-options.ts'
export { threadHistoryQueryOptions, threadListQueryOptions } from './query/thread-query-options.ts'
export type {
  LoadContext,
  LoadQueryOptions,
  ThreadHistoryQuery,
  ThreadHistoryQueryOptions,
  ThreadListQuery,
} from './query/thread-query-options.ts'
export { useCapHealth } from './query/use-cap-health.ts'
export type { CapHealth, CapHealthOptions } from './query/use-cap-health.ts'
export { useCapMutation } from './query/use-cap-mutation.ts'
export type { CapMutationOptions } from './query/use-cap-mutation.ts'
