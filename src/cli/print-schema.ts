import { CONVERSATION_TABLES } from '../server/conversation/sql-conversation-store.ts'
import { EVENT_LOG_TABLE } from '../server/event-log/postgres/event-log-table.ts'
import type { CliArguments } from './read-arguments.ts'
import type { CliIo } from './cli-io.ts'

/** Prints the statements that create what `capstan/server/logs` keeps in a database. They may run more than once. */
export async function printSchema(_given: CliArguments, io: CliIo): Promise<number> {
  io.print(EVENT_LOG_TABLE)
  io.print(CONVERSATION_TABLES)
  return 0
}
