import { isAgentError } from '../../../src/base/agent-error.ts'
import type { Clock } from '../../../src/base/ports/clock.ts'
import { systemClock } from '../../../src/base/ports/clock.ts'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import type { EventLog } from '../../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { redisEventLog } from '../../../src/server/event-log/redis/redis-event-log.ts'
import { isPostgresOutage, startFailingPostgres, type PostgresOutageKind } from './failing-postgres.ts'
import { readLate, type LateReading } from './read-late.ts'
import { startInCluster, startSingle, startWithSentinel, type RedisTopology } from './redis-topology.ts'

/**
 * How Redis fails. `empty`: a crash without persistence; `shortened`: one that comes back with an earlier state; `returns`: one that
 * comes back with everything; the rest under Sentinel, or of a cluster's node with a replica.
 */
export type RedisOutageKind =
  | 'hangs'
  | 'empty'
  | 'shortened'
  | 'returns'
  | 'killed'
  | 'killed behind'
  | 'hangs, promoted'
  | 'hangs behind, promoted'
  | 'promoted'
  | 'promoted behind'
  | 'killed in a cluster'
  | 'hangs in a cluster'
  | 'promoted in a cluster'

/** Any store that fails. */
export interface FailingStore {
  /** Log of an instance of the server; `there` is left alone by an outage that only one of them meets. */
  open(instance: Instance): Promise<{ readonly log: EventLog; close(): Promise<void> }>
  /** Serves an instance in its own process. Absent: this process serves it, with its log. */
  serve?(instance: Instance): Promise<Serve>
  /** Resolves when the store is back, or has been replaced. */
  fail(): Promise<void>
  remove(): Promise<void>
}

export type Instance = 'here' | 'there'

export interface Outage {
  readonly kind: RedisOutageKind | PostgresOutageKind
  /** How long it lasts, in milliseconds. A master that was killed under Sentinel stays away. */
  readonly ms: number
  /** It begins after so many words. */
  readonly afterWords: number
  readonly served: 'handler' | 'proxy'
  readonly onExpired: 'conflict' | 'restart'
  readonly commandTimeoutMs: number
  readonly leaseMs: number
  /** Between two words of the agent. */
  readonly paceMs: number
  /** The client waits so many times shorter between its attempts. */
  readonly hurry: number
}

export interface OutageReport {
  readonly outage: Outage
  /** How the client's run ended: `whole`, or the code of its error. */
  readonly client: string
  /** What those who come afterwards read, at either instance. */
  readonly late: readonly string[]
  /** Streams the client saw: more than one when the run was begun again. */
  readonly streams: number
  /** Promises that were broken. */
  readonly broken: readonly string[]
}

/** As instance.ts says them. */
const WORDS = Array.from({ length: 50 }, (_, word) => `word${word} `)
const WHOLE = WORDS.join('')
/** How far the master is ahead of what is kept of it. */
const BEHIND_MS = 400

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

function hurried(times: number): Clock {
  return { ...systemClock, after: (ms, callback) => systemClock.after(ms / times, callback) }
}

export type Serve = (http: Request) => Promise<Response>

/** Lets a store fail in the middle of an answer, and looks what the client and those who come later are told. */
export async function playOutage(outage: Outage): Promise<OutageReport> {
  const store = await storeOf(outage)
  const closing: (() => Promise<void>)[] = []
  try {
    const upstream = createAgentHandler({ agent: sayWords(outage), log: memoryEventLog(), onError: () => {} })
    const instances = await Promise.all(
      (['here', 'there'] as const).map(async (instance): Promise<Serve> => {
        if (store.serve !== undefined) return store.serve(instance)
        const { log, close } = await store.open(instance)
        closing.push(close)
        if (outage.served === 'handler')
          return createAgentHandler({ agent: sayWords(outage), log, onExpired: outage.onExpired, onError: () => {} })
        return createAgentProxy({
          upstream: 'https://agent.example',
          headers: {},
          authorize: () => 'ann',
          log,
          onError: () => {},
          fetch: async (url, init) => upstream(new Request(url, init)),
        })
      }),
    )
    return await follow(outage, store, instances)
  } finally {
    await Promise.all(closing.map(async (close) => close().catch(() => {})))
    await store.remove()
  }
}

async function storeOf(outage: Outage): Promise<FailingStore> {
  if (isPostgresOutage(outage)) return startFailingPostgres(outage)
  const redis = await topologyOf(outage.kind)
  return {
    async open() {
      const { client, destroy } = await redis.connect()
      const log = redisEventLog({ client, commandTimeoutMs: outage.commandTimeoutMs, leaseMs: outage.leaseMs })
      return {
        log,
        async close() {
          log.close()
          await destroy()
        },
      }
    },
    fail: () => failRedis(outage, redis),
    remove: () => redis.remove(),
  }
}

function topologyOf(kind: Outage['kind']): Promise<RedisTopology> {
  if (kind.endsWith('in a cluster')) return startInCluster()
  if (kind === 'returns') return startSingle({ persistence: 'every command' })
  return kind === 'hangs' || kind === 'empty' || kind === 'shortened' ? startSingle() : startWithSentinel()
}

function sayWords({ paceMs }: Outage): Parameters<typeof createAgentHandler>[0]['agent'] {
  return async function* (_request, run) {
    for (const word of WORDS) {
      yield word
      await run.sleep(paceMs)
    }
  }
}

async function follow(outage: Outage, store: FailingStore, instances: readonly Serve[]): Promise<OutageReport> {
  let turn = 0
  const balance: Serve = (http) => (instances[turn++ % instances.length] ?? instances[0])!(http)
  const client = new CapClient({
    baseUrl: 'https://app.example',
    maxRetries: 8,
    environment: { clock: hurried(outage.hurry) },
    fetch: async (url, init) => balance(new Request(url, init)),
  })
  const requestId = crypto.randomUUID()
  const request = await client.createRequest({ text: 'Why?', conversationId: crypto.randomUUID(), requestId })
  const broken: string[] = []
  const texts = new Map<string, string>()
  let words = 0
  let failing: Promise<void> | undefined
  let ended = 'whole'
  try {
    for await (const packet of client.assist(request)) {
      if (packet.op !== 'DELTA') continue
      const id = packet.stream_id ?? ''
      const text = (texts.get(id) ?? '') + packet.p
      texts.set(id, text)
      words += 1
      if (!WHOLE.startsWith(text))
        broken.push(`the client shows what was never said: ${JSON.stringify(text.slice(-40))}`)
      if (words === outage.afterWords) failing = store.fail()
    }
  } catch (error) {
    ended = isAgentError(error) ? (error.agentCode ?? error.code) : `untyped: ${String(error)}`
  }
  const shown = [...texts.values()].at(-1) ?? ''
  if (ended === 'whole' && shown !== WHOLE)
    broken.push(`the client takes ${shown.length} of ${WHOLE.length} characters for the whole`)
  if (ended.startsWith('untyped')) broken.push(ended)
  await failing
  const late: LateReading[] = await Promise.all(
    instances.map(async (serve) => readLate(serve, JSON.stringify(request), WHOLE)),
  )
  broken.push(...late.flatMap((reading) => reading.broken))
  return { outage, client: ended, late: late.map(({ verdict }) => verdict), streams: texts.size, broken }
}

/** Resolves when Redis is back, or has been replaced. */
async function failRedis({ kind, ms }: Outage, redis: RedisTopology): Promise<void> {
  const { master } = redis
  if (kind.includes('behind') || kind === 'shortened') {
    await redis.leaveBehind()
    await pause(BEHIND_MS)
  }
  if (kind.startsWith('promoted')) {
    await redis.failover().catch(() => {})
    await pause(ms)
    return
  }
  if (kind.startsWith('hangs')) {
    master.hang()
    await pause(ms)
    master.resume()
    return
  }
  await master.kill()
  await pause(ms)
  if (!kind.startsWith('killed')) await master.start()
}
