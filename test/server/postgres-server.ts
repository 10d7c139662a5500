import { afterAll, describe } from 'vitest'
import { EVENT_LOG_TABLE } from '../../src/server/event-log/postgres/postgres-queries.ts'
import { CONVERSATION_TABLES } from '../../src/server/conversation/sql-conversation-store.ts'
import { postgresFolder, startPostgresProcess, type PostgresProcess } from './postgres-process.ts'

if (postgresFolder === undefined) {
  if (process.env['CI'])
    throw new Error(
      'CI is set and no Postgres was found: install it, or name the folder of its programs in POSTGRES_BIN.',
    )
  console.log('No Postgres found (see POSTGRES_BIN): the tests of the event log in Postgres are left out.')
}

/** Tests that need a real Postgres: left out where a developer has none, an error where CI has none. */
// oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- what `runIf` gives is a `describe`, which gets both where it is used
export const describeWithPostgres = describe.runIf(postgresFolder !== undefined)

const servers: PostgresProcess[] = []

afterAll(async () => {
  for (const server of servers.splice(0)) await server.remove()
})

/** Starts a server that lives as long as the file's tests. */
export async function startPostgres(...settings: readonly string[]): Promise<PostgresProcess> {
  const server = await startPostgresProcess(settings)
  servers.push(server)
  return server
}

let schemas = 0

/** Creates the tables in their own schema, and gives its name. */
export async function createSchema(server: PostgresProcess): Promise<string> {
  const schema = `test_${process.pid}_${++schemas}`
  await server.execute(
    `CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${EVENT_LOG_TABLE} ${CONVERSATION_TABLES}`,
  )
  return schema
}
