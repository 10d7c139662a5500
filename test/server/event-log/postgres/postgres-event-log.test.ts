import type { Pool } from 'pg'
import { beforeAll, it } from 'vitest'
import {
  postgresEventLog,
  type PostgresEventLog,
} from '../../../../src/server/event-log/postgres/postgres-event-log.ts'
import { eventLogCases } from '../../../../src/testing/event-log-cases.ts'
import { openPool } from '../../postgres-pool.ts'
import { createSchema, describeWithPostgres, startPostgres } from '../../postgres-server.ts'
import type { PostgresProcess } from '../../postgres-process.ts'

let server: PostgresProcess

const pass = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

describeWithPostgres('postgresEventLog', () => {
  beforeAll(async () => {
    server = await startPostgres()
  })

  it.concurrent.each(eventLogCases)('$name', async ({ run }) =>
    run(async (limits) => {
      const [ttlMs, leaseMs] = [2500, 1500]
      const schema = await createSchema(server)
      const opened: { readonly pool: Pool; readonly log: PostgresEventLog }[] = []
      const openLog = (): PostgresEventLog => {
        const pool = openPool(server.url(schema), 2)
        const log = postgresEventLog(pool, { ttlMs, leaseMs, ...limits })
        opened.push({ pool, log })
        return log
      }
      return {
        log: openLog(),
        ttlMs,
        pass: (ms) => pass(ms + 20),
        async crash() {
          for (const { log } of opened) log.close()
          await pass(leaseMs + 20)
          return openLog()
        },
        async close() {
          for (const { log, pool } of opened) {
            log.close()
            await pool.end()
          }
        },
      }
    }),
  )
})
