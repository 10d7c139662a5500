// A server whose agent does one thing, with consent, and writes down that it did it (see test/integration/consent-kill.test.ts).
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from 'redis'
import type { EventLog } from '../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import { redisEventLog } from '../../src/server/event-log/redis/redis-event-log.ts'
import type { AgentRun } from '../../src/server/run/agent.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'

const { REDIS_URL, PREFIX = '', DONE_FILE = '', ACTS_FILE, WORK_MS = '0' } = process.env

/** Writes down what the agent did, for tests that name a file for it. */
function note(act: string): void {
  if (ACTS_FILE !== undefined) appendFileSync(ACTS_FILE, `${act}\n`)
}

async function listen({ inbox, signal }: AgentRun): Promise<void> {
  signal.addEventListener('abort', () => note('stopped'))
  for await (const { text } of inbox) note(`heard ${text}`)
}

async function openLog(): Promise<EventLog> {
  if (REDIS_URL === undefined) return memoryEventLog()
  const client = createClient({ url: REDIS_URL })
  client.on('error', () => {})
  await client.connect()
  return redisEventLog({ client, prefix: PREFIX, leaseMs: 1000, commandTimeoutMs: 1000 })
}

const handler = createAgentHandler({
  log: await openLog(),
  async *agent(_request, run) {
    if (ACTS_FILE !== undefined) void listen(run)
    const subject = { name: 'send_mail', input: { to: 'Ann' } }
    const { type } = await run.ask({ kind: 'approval', message: 'May I send it?', subject })
    await run.sleep(Number(WORK_MS))
    if (type === 'allowed') {
      if (DONE_FILE !== '') appendFileSync(DONE_FILE, 'sent\n')
      note('sent')
    }
    yield type
  },
})

const server = createServer(toNodeListener(handler))
server.listen(0, '127.0.0.1', () => {
  // A TCP server always has an AddressInfo once it listens.
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
