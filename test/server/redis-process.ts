import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './tcp-relay.ts'

/** A redis-server of its own on loopback, in its own folder. */
export interface RedisProcess {
  readonly port: number
  /** What it writes to. */
  readonly folder: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port, with what is in its folder. */
  start(): Promise<void>
  /** It hangs: connections stay open and nothing answers. */
  hang(): void
  resume(): void
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

/** Where redis-server is; undefined where there is none. */
export const redisExecutable = findRedisServer()

function findRedisServer(): string | undefined {
  const candidates = [
    process.env['REDIS_SERVER_PATH'] ?? '',
    ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server')),
  ]
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return path !== ''
    } catch {
      return false
    }
  })
}

/** Starts a redis-server, or with `sentinel` one that watches others under that configuration. */
export async function startRedisProcess(options: readonly string[] = [], sentinel?: string): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-redis-'))
  const port = await freePort()
  const file = join(folder, 'sentinel.conf')
  if (sentinel !== undefined) writeFileSync(file, sentinel)
  const base = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  const args =
    sentinel === undefined
      ? [...base, '--save', '', '--appendonly', 'no', ...options]
      : [file, ...base, ...options, '--sentinel']
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    // Who asks has made sure that there is one.
    const starting = spawn(redisExecutable ?? '', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    child = starting
    await new Promise<void>((resolve, reject) => {
      starting.stdout.on('data', (text: Buffer) => {
        if (/Ready to accept connections|\+monitor/.test(text.toString())) resolve()
      })
      starting.once('exit', (code) => reject(new Error(`redis-server ended with ${code}.`)))
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
  await start()
  return {
    port,
    folder,
    kill,
    start,
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
