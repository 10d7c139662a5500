export type { RedisClient, RedisConnection } from './server/event-log/redis/redis-client.ts'
export type { RedisEventLog, RedisEventLogOptions } from './server/event-log/redis/redis-event-log.ts'
export { redisEventLog } from './server/event-log/redis/redis-event-log.ts'
