import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'

/** A Redis of the bench's own, on a free port, that keeps nothing on disk. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'))
  const port = await freePort()
  const child = spawn(
    process.env.REDIS_SERVER_PATH ?? 'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  // A bench that fails leaves no server behind.
  process.once('exit', () => child.kill('SIGKILL'))
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.on('data', (text) => text.includes('Ready to accept connections') && resolve())
  })
  const connect = async () => {
    const client = createClient({ url: `redis://127.0.0.1:${port}` })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const admin = await connect()
  const info = (section) => admin.info(section)
  const count = async () => Number(/total_commands_processed:(\d+)/.exec(await info('stats'))?.[1])
  return {
    url: `redis://127.0.0.1:${port}`,
    connect,
    version: async () => /redis_version:(\S+)/.exec(await info('server'))?.[1],
    connections: async () => Number(/connected_clients:(\d+)/.exec(await info('clients'))?.[1]) - 1,
    /** How many commands Redis carried out meanwhile, those inside of scripts included. */
    async commandsOf(work) {
      const before = await count()
      await work()
      return (await count()) - before - 1
    },
    async stop() {
      admin.destroy()
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort() {
  const probe = createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}
