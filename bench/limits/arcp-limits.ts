// npm run bench:limits: what 10,000 jobs and 20,000 subscriptions of one user cost the 200 jobs of another one, and what 100 live runs of
// 8 MB take in memory that nobody reads. It prints a table, and compares with the same runtime without limits.
import { createArcpRuntime } from '../../src/runtime/arcp/arcp-runtime.ts'
import type { ArcpRuntimeOptions } from '../../src/runtime/arcp/connection/runtime-options.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'

const JOBS = 10_000
const SUBSCRIPTIONS = 20_000
const WORK = 200
const RUNS = 100
const RUN_MB = 8

interface Client {
  readonly counts: ReadonlyMap<string, number>
  send(type: string, payload: object): void
  /** Resolves when so many messages of the types have come. */
  until(types: readonly string[], count: number): Promise<void>
}

let ids = 0

async function connect(transport: ReturnType<typeof memoryTransport>, token: string): Promise<Client> {
  const connection: DuplexConnection = await transport.connect({ signal: new AbortController().signal })
  const counts = new Map<string, number>()
  let wake = (): void => {}
  const read = async (): Promise<void> => {
    for await (const frames of connection.frames) {
      for (const frame of frames) {
        const { type } = JSON.parse(frame) as { type: string }
        counts.set(type, (counts.get(type) ?? 0) + 1)
      }
      wake()
    }
  }
  void read()
  const client: Client = {
    counts,
    send(type, payload) {
      const message = { arcp: '1.0', id: `m${(ids += 1)}`, type, timestamp: new Date().toISOString(), payload }
      connection.send(JSON.stringify(message))
    },
    async until(types, count) {
      while (types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0) < count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
  client.send('session.open', {
    auth: { scheme: 'bearer', token },
    client: { kind: 'bench', version: '1' },
    capabilities: { streaming: true, subscriptions: true, artifacts: true },
  })
  await client.until(['session.accepted'], 1)
  return client
}

async function measure(name: string, limits: ArcpRuntimeOptions['limits'], isLoaded: boolean): Promise<void> {
  const runtime = createArcpRuntime({
    auth: { bearer: (token) => token },
    tools: { wait: () => new Promise(() => {}), work: ({ n }) => n },
    limits,
  })
  const transport = memoryTransport(runtime.accept)
  const [ada, bob] = [await connect(transport, 'ada'), await connect(transport, 'bob')]
  if (isLoaded) {
    for (let count = 0; count < SUBSCRIPTIONS; count++) ada.send('subscribe', { filter: {} })
    await ada.until(['subscribe.accepted', 'nack'], SUBSCRIPTIONS)
    const before = ada.counts.get('nack') ?? 0
    for (let count = 0; count < JOBS; count++) ada.send('tool.invoke', { tool: 'wait' })
    await ada.until(['job.accepted', 'nack'], JOBS + before)
  }
  const start = performance.now()
  for (let n = 0; n < WORK; n++) bob.send('tool.invoke', { tool: 'work', arguments: { n } })
  await bob.until(['tool.result'], WORK)
  const ms = Math.round(performance.now() - start)
  const count = (type: string): number => ada.counts.get(type) ?? 0
  console.log(
    `| ${name} | ${count('subscribe.accepted')} | ${count('job.accepted')} | ${count('nack')} | ${ms} ms | ${megabytes()} MB |`,
  )
  await runtime.close()
}

async function measureRuns(): Promise<void> {
  const log = memoryEventLog()
  const before = megabytes()
  let refused = 0
  const text = 'x'.repeat(64_000)
  for (let run = 0; run < RUNS; run++) {
    const begun = await log.begin(`run ${run}`)
    if (begun.state !== 'created') continue
    try {
      for (let at = 0; at < (RUN_MB * 1_000_000) / text.length; at++)
        await begun.writer.append({ kind: 'frame', text: `${run}/${at}${text}` })
    } catch {
      refused += 1
    }
  }
  console.log(
    `| ${RUNS} live runs of ${RUN_MB} MB | ${RUNS - refused} kept | ${refused} refused | ${megabytes() - before} MB |`,
  )
}

function megabytes(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().rss / 1_000_000)
}

console.log(
  `| One user has | Subscriptions | Jobs | Refused | ${WORK} jobs of another user | Memory |\n|---|---|---|---|---|---|`,
)
await measure('nothing', undefined, false)
await measure('the default limits', undefined, true)
if (process.argv.includes('--without-limits'))
  await measure('no limits', { jobs: Infinity, subscriptions: Infinity, artifactBytes: Infinity }, true)
console.log('\n| Load | Kept | Refused | Memory |\n|---|---|---|---|')
await measureRuns()
