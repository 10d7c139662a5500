import { postgresEventLog } from '../../../src/server/event-log/postgres/postgres-event-log.ts'
import { EVENT_LOG_TABLE } from '../../../src/server/event-log/postgres/postgres-queries.ts'
import { startPostgresProcess, type PostgresProcess } from '../postgres-process.ts'
import { openPool } from '../postgres-pool.ts'
import { spawnInstance, type Instance as ServerProcess } from '../spawn-instance.ts'
import { startRelay, type Relay } from '../tcp-relay.ts'
import type { FailingStore, Outage, Serve } from './play-outage.ts'

/**
 * How Postgres, the way to it or a process before it fails. `two writers`: the process that writes loses the database for longer than its
 * lease, and another one takes its runs over. `promoted`: a standby takes the place of a primary that was killed; `behind`: without what
 * the primary had acknowledged last.
 */
export const POSTGRES_OUTAGES = [
  'process killed',
  'backend killed',
  'server killed',
  'restarted',
  'standby promoted',
  'standby behind, promoted',
  'connections cut',
  'connections frozen',
  'two writers',
] as const

export type PostgresOutageKind = (typeof POSTGRES_OUTAGES)[number]

type PostgresOutage = Outage & { readonly kind: PostgresOutageKind }

export function isPostgresOutage(outage: Outage): outage is PostgresOutage {
  return POSTGRES_OUTAGES.some((kind) => kind === outage.kind)
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** How far the primary is ahead of its standby. */
const BEHIND_MS = 400
/** Longer than the lease, so that the other process adopts the run before the first one is back. */
const LEASES = 2

export async function startFailingPostgres(outage: PostgresOutage): Promise<FailingStore> {
  const { kind, leaseMs, commandTimeoutMs } = outage
  const primary = await startPostgresProcess()
  await primary.execute(EVENT_LOG_TABLE)
  const replication = await startRelay(primary.port)
  const standby = kind.startsWith('standby') ? await startStandby(primary, replication) : undefined
  const relays = { here: await startRelay(primary.port), there: await startRelay(primary.port) }
  const urlOf = (relay: Relay): string => `postgres://postgres@127.0.0.1:${relay.port}/postgres`
  const processes = new Map<string, ServerProcess>()

  const startProcess = async (instance: string): Promise<ServerProcess> => {
    const env = {
      POSTGRES_URL: primary.url(),
      WORDS: '50',
      PACE_MS: String(outage.paceMs),
      LEASE_MS: String(leaseMs),
      ON_EXPIRED: outage.onExpired,
    }
    const started = await spawnInstance(env)
    processes.set(instance, started)
    return started
  }

  const fail: Readonly<Record<PostgresOutageKind, () => Promise<void>>> = {
    async 'process killed'() {
      // Every process: the one that answers may be either.
      await Promise.all([...processes.values()].map(async (each) => each.kill()))
      await pause(outage.ms)
      await Promise.all([...processes.keys()].map(startProcess))
    },
    async 'backend killed'() {
      const backends = await primary.execute(
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND query LIKE '%capstan_log%'",
      )
      const [backend] = backends
      if (backend === undefined) throw new Error('No backend serves the event log.')
      process.kill(Number(backend['pid']), 'SIGKILL')
    },
    async 'server killed'() {
      await primary.kill()
      await pause(outage.ms)
      await primary.start()
    },
    async restarted() {
      await primary.stop()
      await pause(outage.ms)
      await primary.start()
    },
    'standby promoted': () => promote(outage.ms),
    async 'standby behind, promoted'() {
      replication.cut()
      await pause(BEHIND_MS)
      await promote(outage.ms)
    },
    async 'connections cut'() {
      for (const relay of Object.values(relays)) relay.cut()
      await pause(outage.ms)
      for (const relay of Object.values(relays)) relay.restore()
    },
    async 'connections frozen'() {
      for (const relay of Object.values(relays)) relay.freeze()
      await pause(outage.ms)
      for (const relay of Object.values(relays)) relay.restore()
    },
    async 'two writers'() {
      relays.here.freeze()
      await pause(LEASES * leaseMs)
      relays.here.restore()
    },
  }

  async function promote(ms: number): Promise<void> {
    await primary.kill()
    await standby?.execute('SELECT pg_promote()')
    await pause(ms)
    for (const relay of Object.values(relays)) relay.redirect(standby?.port ?? primary.port)
  }

  return {
    async open(instance) {
      const pool = openPool(urlOf(relays[instance]), 10)
      const log = postgresEventLog(pool, { leaseMs, commandTimeoutMs })
      return {
        log,
        async close() {
          log.close()
          // A connection that hangs does not end in time.
          void pool.end()
        },
      }
    },
    ...(kind === 'process killed' && {
      async serve(instance: string): Promise<Serve> {
        await startProcess(instance)
        return async (http) => {
          const { pathname } = new URL(http.url)
          const origin = processes.get(instance)?.origin ?? ''
          return fetch(origin + pathname, { method: http.method, headers: http.headers, body: await http.text() })
        }
      },
    }),
    fail: fail[kind],
    async remove() {
      for (const relay of [replication, ...Object.values(relays)]) relay.close()
      await Promise.all([...processes.values()].map(async (each) => each.kill()))
      await Promise.all([primary, standby].map(async (each) => each?.remove()))
    },
  }
}

/** A standby behind a relay, so that it can be left behind. */
async function startStandby(primary: PostgresProcess, relay: Relay): Promise<PostgresProcess> {
  const standby = await primary.replicate([`primary_conninfo=host=127.0.0.1 port=${relay.port} user=postgres`])
  const isStreaming = async (): Promise<boolean> =>
    (await primary.execute("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length > 0
  while (!(await isStreaming())) await pause(50)
  return standby
}
