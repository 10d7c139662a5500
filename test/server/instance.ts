// One process of a server behind a load balancer, started by the tests of several (see instance-process.ts).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { createClient } from 'redis'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../src/server/proxy/agent-proxy.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import type { EventLog } from '../../src/server/event-log/event-log.ts'
import { postgresEventLog } from '../../src/server/event-log/postgres/postgres-event-log.ts'
import { redisEventLog } from '../../src/server/event-log/redis/redis-event-log.ts'

const {
  REDIS_URL = '',
  POSTGRES_URL,
  PACE_MS = '20',
  PREFIX = '',
  UPSTREAM,
  ON_EXPIRED,
  WORDS = '40',
  LEASE_MS = '1500',
} = process.env

const log = POSTGRES_URL === undefined ? await openRedis() : openPostgres(POSTGRES_URL)

async function openRedis(): Promise<EventLog> {
  const client = createClient({ url: REDIS_URL })
  client.on('error', () => {})
  await client.connect()
  return redisEventLog({ client, prefix: PREFIX, leaseMs: Number(LEASE_MS) })
}

function openPostgres(connectionString: string): EventLog {
  const pool = new pg.Pool({ connectionString })
  pool.on('error', () => {})
  return postgresEventLog(pool, { leaseMs: Number(LEASE_MS) })
}

const agent = createAgentHandler({
  log,
  onExpired: ON_EXPIRED === 'restart' ? 'restart' : 'conflict',
  async *agent(_request, run) {
    for (let word = 0; word < Number(WORDS); word++) {
      yield `word${word} `
      await run.sleep(Number(PACE_MS))
    }
  },
})
const handler =
  UPSTREAM === undefined ? agent : createAgentProxy({ upstream: UPSTREAM, headers: {}, authorize: () => 'ann', log })

const server = createServer(toNodeListener(handler))
server.listen(0, '127.0.0.1', () => {
  // A TCP server always has an AddressInfo once it listens.
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
