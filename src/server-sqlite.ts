export type { SqliteDatabase, SqliteStatement, SqliteValue } from './server/event-log/sqlite/sqlite-database.ts'
export type { SqliteEventLogOptions } from './server/event-log/sqlite/sqlite-event-log.ts'
export { sqliteEventLog } from './server/event-log/sqlite/sqlite-event-log.ts'
