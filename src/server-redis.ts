export type { RedisClient, RedisConnection } from './server/redis-client.ts'
export type { RedisEventLog, RedisEventLogOptions } from './server/redis-event-log.ts'
export { redisEventLog } from './server/redis-event-log.ts'
