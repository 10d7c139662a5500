import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createClient } from 'redis'
import { afterAll, afterEach, describe } from 'vitest'

/** A Redis of the test's own: nothing kept on disk, nobody else in it. */
export interface RedisServer {
  readonly url: string
  /** Ends it as a crash would, and starts an empty one on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const clientOf = (url: string) => createClient({ url })

export type TestClient = ReturnType<typeof clientOf>

function findRedisServer(): string | undefined {
  const candidates = [process.env['REDIS_SERVER_PATH'] ?? '', ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server'))]
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return path !== ''
    } catch {
      return false
    }
  })
}

const executable = findRedisServer()
if (executable === undefined) {
  if (process.env['CI']) throw new Error('CI is set and no redis-server was found: install it, or name it in REDIS_SERVER_PATH.')
  console.log('No redis-server found (see REDIS_SERVER_PATH): the tests of the event log in Redis are left out.')
}

/** Tests that need a real Redis: left out where a developer has none, an error where CI has none. */
// oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- what `runIf` gives is a `describe`, which gets both where it is used
export const describeWithRedis = describe.runIf(executable !== undefined)

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
  const folder = mkdtempSync(join(tmpdir(), 'capstan-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    // Only where there is one are tests run.
    child = spawn(executable ?? '', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...options], { stdio: ['ignore', 'pipe', 'ignore'] })
    const { stdout } = child
    await new Promise<void>((resolve, reject) => {
      stdout?.on('data', (text: Buffer) => {
        if (text.includes('Ready to accept connections')) resolve()
      })
      child?.once('exit', (code) => reject(new Error(`redis-server ended with ${code}.`)))
    })
  }
  const kill = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => {
      ending.once('exit', resolve)
    })
    ending.kill('SIGKILL')
    await ended
  }
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await kill()
      await start()
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  servers.push(server)
  await start()
  return server
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server always has an AddressInfo once it listens.
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => {
    probe.close(resolve)
  })
  return port
}
