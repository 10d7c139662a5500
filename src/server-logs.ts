export type { PostgresClient, PostgresPool, PostgresRow } from './server/event-log/postgres/postgres-pool.ts'
export {
  postgresEventLog,
  type PostgresEventLog,
  type PostgresEventLogOptions,
} from './server/event-log/postgres/postgres-event-log.ts'
export type { SharedLogOptions } from './server/event-log/leased/shared-log-options.ts'
export { EVENT_LOG_TABLE } from './server/event-log/postgres/event-log-table.ts'
export type {
  RedisClient,
  RedisCluster,
  RedisClusterConnection,
  RedisConnection,
} from './server/event-log/redis/redis-client.ts'
export {
  redisEventLog,
  type RedisEventLog,
  type RedisEventLogOptions,
} from './server/event-log/redis/redis-event-log.ts'
export {
  redisConversationStore,
  type RedisConversationStoreOptions,
} from './server/conversation/redis-conversation-store.ts'
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './server/event-log/sqlite/sqlite-database.ts'
export { sqliteEventLog, type SqliteEventLogOptions } from './server/event-log/sqlite/sqlite-event-log.ts'
