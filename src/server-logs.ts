export type { PostgresClient, PostgresPool, PostgresRow } from './server/event-log/postgres/postgres-pool.ts'
export type { PostgresEventLog, PostgresEventLogOptions } from './server/event-log/postgres/postgres-event-log.ts'
export type { SharedLogOptions } from './server/event-log/leased/shared-log-options.ts'
export { postgresEventLog } from './server/event-log/postgres/postgres-event-log.ts'
export { EVENT_LOG_TABLE } from './server/event-log/postgres/event-log-table.ts'
export type {
  RedisClient,
  RedisCluster,
  RedisClusterConnection,
  RedisConnection,
} from './server/event-log/redis/redis-client.ts'
export type { RedisEventLog, RedisEventLogOptions } from './server/event-log/redis/redis-event-log.ts'
export { redisEventLog } from './server/event-log/redis/redis-event-log.ts'
export type { RedisConversationStoreOptions } from './server/conversation/redis-conversation-store.ts'
export { redisConversationStore } from './server/conversation/redis-conversation-store.ts'
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './server/event-log/sqlite/sqlite-database.ts'
export type { SqliteEventLogOptions } from './server/event-log/sqlite/sqlite-event-log.ts'
export { sqliteEventLog } from './server/event-log/sqlite/sqlite-event-log.ts'
