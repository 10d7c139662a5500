import { createClient } from 'redis'
import { afterAll, afterEach, describe } from 'vitest'
import { redisExecutable, startRedisProcess } from './redis-process.ts'

/** A Redis of the test's own: nothing kept on disk, nobody else in it. */
export interface RedisServer {
  readonly url: string
  /** Ends it as a crash would, and starts an empty one on the same port. */
  restart(): Promise<void>
  /** It hangs: connections stay open and nothing answers. */
  hang(): void
  resume(): void
  stop(): Promise<void>
}

const clientOf = (url: string) => createClient({ url })

export type TestClient = ReturnType<typeof clientOf>

if (redisExecutable === undefined) {
  if (process.env['CI'])
    throw new Error('CI is set and no redis-server was found: install it, or name it in REDIS_SERVER_PATH.')
  console.log('No redis-server found (see REDIS_SERVER_PATH): the tests of the event log in Redis are left out.')
}

/** Tests that need a real Redis: left out where a developer has none, an error where CI has none. */
// oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- what `runIf` gives is a `describe`, which gets both where it is used
export const describeWithRedis = describe.runIf(redisExecutable !== undefined)

const clients: TestClient[] = []
const servers: RedisServer[] = []

afterEach(() => {
  for (const client of clients.splice(0)) if (client.isOpen) client.destroy()
})

afterAll(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** A client that the test closes by itself. */
export async function connect(url: string): Promise<TestClient> {
  const client = clientOf(url)
  client.on('error', () => {})
  clients.push(client)
  await client.connect()
  return client
}

/** Starts a server that lives as long as the file's tests, unless it is stopped before. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const redis = await startRedisProcess(options)
  const server: RedisServer = {
    url: `redis://127.0.0.1:${redis.port}`,
    async restart() {
      await redis.kill()
      await redis.start()
    },
    hang: () => redis.hang(),
    resume: () => redis.resume(),
    stop: () => redis.remove(),
  }
  servers.push(server)
  return server
}
