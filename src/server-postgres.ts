export type { PostgresClient, PostgresPool, PostgresRow } from './server/event-log/postgres/postgres-pool.ts'
export type { PostgresEventLog, PostgresEventLogOptions } from './server/event-log/postgres/postgres-event-log.ts'
export { postgresEventLog } from './server/event-log/postgres/postgres-event-log.ts'
export { EVENT_LOG_TABLE } from './server/event-log/postgres/event-log-table.ts'
