export type {
  RedisClient,
  RedisCluster,
  RedisClusterConnection,
  RedisConnection,
} from './server/event-log/redis/redis-client.ts'
export type { RedisEventLog, RedisEventLogOptions } from './server/event-log/redis/redis-event-log.ts'
export type { SharedLogOptions } from './server/event-log/leased/shared-log-options.ts'
export { redisEventLog } from './server/event-log/redis/redis-event-log.ts'
export type { RedisConversationStoreOptions } from './server/conversation/redis-conversation-store.ts'
export { redisConversationStore } from './server/conversation/redis-conversation-store.ts'
