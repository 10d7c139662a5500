export {
  assistQueryOptions,
  type AssistQuery,
  assistStreamQueryOptions,
  type AssistAnswer,
  type AssistStreamQueryOptions,
  type RunQueryOptions,
  healthQueryOptions,
  type HealthQueryOptions,
  threadHistoryQueryOptions,
  threadListQueryOptions,
  type LoadQueryOptions,
  type ThreadHistoryQueryOptions,
  queryKeys,
} from './query/query-options.ts'
export { useCapHealth, type CapHealth, useCapMutation } from './query/hooks.ts'
