import { readFileSync } from 'node:fs'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { postgresEventLog } from '../../../../src/server/event-log/postgres/postgres-event-log.ts'
import { EVENT_LOG_TABLE } from '../../../../src/server/event-log/postgres/postgres-queries.ts'
import { ROOT } from '../../../layers/files.ts'
import { LONGEST_SILENCE_MS, LOST, meetStoreFailure, type Seen } from '../../outages/meet-store-failure.ts'
import { openPool } from '../../postgres-pool.ts'
import type { PostgresProcess } from '../../postgres-process.ts'
import { describeWithPostgres, startPostgres } from '../../postgres-server.ts'
import { startRelay, type Relay } from '../../tcp-relay.ts'

interface Failing {
  readonly postgres: PostgresProcess
  /** Between the log and the server. */
  readonly relay: Relay
}

const WHOLE: Omit<Seen, 'longestSilenceMs'> = {
  agent: 'finished',
  reader: 'complete after "one two three"',
  reconnect: '200',
  next: '200',
  repaired: '200',
  operator: [],
}
const AWAY: Partial<Seen> = { reconnect: '503 log_unavailable', operator: ['network_error'] }

/** What the database raises from now on for each row that is written. */
const RAISE = (state: string): string => `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${state}'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON capstan_log EXECUTE FUNCTION refuse()`
const UNRAISE = 'DROP TRIGGER refuse ON capstan_log'

const FAILURES: readonly {
  readonly failure: string
  readonly seen: Partial<Seen>
  fail(failing: Failing): Promise<unknown>
  repair?(failing: Failing): Promise<unknown>
}[] = [
  {
    failure: 'full disk',
    seen: { operator: ['storage_full'] },
    fail: ({ postgres }) => postgres.execute(RAISE('53100')),
    repair: ({ postgres }) => postgres.execute(UNRAISE),
  },
  {
    failure: 'damaged data',
    seen: { next: '500 internal_error', operator: ['storage_corrupt'] },
    fail: ({ postgres }) => postgres.execute(RAISE('XX001')),
    repair: ({ postgres }) => postgres.execute(UNRAISE),
  },
  {
    failure: 'read-only',
    seen: { operator: ['storage_unavailable'] },
    async fail({ postgres, relay }) {
      await postgres.execute('ALTER ROLE app SET default_transaction_read_only = on')
      relay.redirect(postgres.port)
    },
    async repair({ postgres, relay }) {
      await postgres.execute('ALTER ROLE app RESET default_transaction_read_only')
      relay.redirect(postgres.port)
    },
  },
  {
    failure: 'lost rights',
    seen: { reconnect: '503 log_unavailable', operator: ['storage_unavailable'] },
    fail: ({ postgres }) => postgres.execute('REVOKE ALL ON capstan_log FROM app'),
    repair: ({ postgres }) => postgres.execute('GRANT ALL ON capstan_log TO app'),
  },
  {
    failure: 'table dropped',
    seen: { reconnect: '500 internal_error', next: '500 internal_error', operator: ['invalid_config'] },
    fail: ({ postgres }) => postgres.execute('DROP TABLE capstan_log'),
    repair: ({ postgres }) => postgres.execute(`${EVENT_LOG_TABLE} GRANT ALL ON capstan_log TO app`),
  },
  {
    failure: 'rows deleted',
    seen: { next: '200', operator: ['log_expired'] },
    fail: ({ postgres }) => postgres.execute('DELETE FROM capstan_log'),
  },
  {
    failure: 'hangs',
    seen: AWAY,
    fail: async ({ relay }) => relay.freeze(),
    repair: async ({ relay }) => relay.restore(),
  },
  {
    failure: 'killed',
    seen: AWAY,
    fail: ({ postgres }) => postgres.kill(),
    repair: ({ postgres }) => postgres.start(),
  },
  {
    failure: 'restarted',
    seen: WHOLE,
    async fail({ postgres }) {
      await postgres.stop()
      await postgres.start()
    },
  },
]

describeWithPostgres('Postgres that fails in the middle of an answer', () => {
  let postgres: PostgresProcess
  beforeAll(async () => {
    postgres = await startPostgres()
    await postgres.execute('CREATE ROLE app LOGIN')
  })

  it.each(FAILURES)('$failure', async ({ failure, fail, repair, seen: expected }) => {
    await postgres.execute(`DROP TABLE IF EXISTS capstan_log; ${EVENT_LOG_TABLE} GRANT ALL ON capstan_log TO app`)
    const relay = await startRelay(postgres.port)
    onTestFinished(() => relay.close())
    const pool = openPool(`postgres://app@127.0.0.1:${relay.port}/postgres`)
    const failing = { postgres, relay }
    const { longestSilenceMs, operator, ...seen } = await meetStoreFailure({
      open(clock) {
        const log = postgresEventLog(pool, { clock })
        onTestFinished(async () => {
          log.close()
          relay.close()
          await pool.end()
        })
        return log
      },
      fail: async () => void (await fail(failing)),
      ...(repair !== undefined && { repair: async () => void (await repair(failing)) }),
    })
    // A reader that was ended may be reported next to the reason.
    const reasons = operator.filter((code, at) => at === 0 || code !== 'log_expired')
    expect({ ...seen, operator: reasons }).toEqual({ ...LOST, ...expected })
    expect(longestSilenceMs).toBeLessThanOrEqual(LONGEST_SILENCE_MS)
    expect(readFileSync(`${ROOT}docs/server.md`, 'utf8')).toContain(`| Postgres: ${failure} |`)
  })
})
