import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './tcp-relay.ts'

/** A Postgres of the test's own on loopback, in its own folder. */
export interface PostgresProcess {
  readonly port: number
  /** Connection string of its superuser. @param schema search path, absent: public */
  url(schema?: string): string
  /** Runs statements as the superuser. */
  execute(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends the whole server as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port, with what is in its folder. */
  start(): Promise<void>
  /** Ends it as an operator does who restarts it: connections are told. */
  stop(): Promise<void>
  /** Copies it into a standby that replicates from it, and starts that one. @param options of its configuration */
  replicate(options?: readonly string[]): Promise<PostgresProcess>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

const run = promisify(execFile)

/** Folder with the programs of Postgres; undefined where there is none. */
export const postgresFolder = findPostgres()

function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = (() => {
    try {
      return readdirSync(debian).toSorted((left, right) => Number(right) - Number(left))
    } catch {
      return []
    }
  })()
  const candidates = [
    process.env['POSTGRES_BIN'] ?? '',
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return candidates.find((folder) => {
    try {
      for (const program of ['initdb', 'postgres', 'pg_basebackup']) accessSync(join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

/** Postgres does not run as root: then it runs as the user of its package, or as nobody. */
const owner = ((): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string): number => {
    try {
      return Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
    } catch {
      return 65_534
    }
  }
  return { uid: idOf('-u'), gid: idOf('-g') }
})()

/** What a crash of the machine would lose does not matter here: only processes are killed. */
const SETTINGS = [
  'fsync=off',
  'max_connections=100',
  'shared_buffers=16MB',
  'logging_collector=off',
  'log_min_messages=log',
]

export async function startPostgresProcess(settings: readonly string[] = []): Promise<PostgresProcess> {
  const folder = newFolder()
  const args = ['-D', folder, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C']
  await run(program('initdb'), args, { ...owner, cwd: folder })
  return startIn(folder, settings)
}

async function startIn(folder: string, settings: readonly string[]): Promise<PostgresProcess> {
  const port = await freePort()
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    for (;;) {
      const args = ['-D', folder, '-h', '127.0.0.1', '-p', String(port), '-k', folder]
      for (const setting of [...SETTINGS, ...settings]) args.push('-c', setting)
      const starting = spawn(program('postgres'), args, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
      child = starting
      let log = ''
      const isReady = await new Promise<boolean>((resolve) => {
        starting.stderr.on('data', (text: Buffer) => {
          log = (log + text.toString()).slice(-5000)
          if (/database system is ready to accept (?:read-only )?connections/.test(log)) resolve(true)
        })
        starting.once('exit', () => resolve(false))
      })
      if (isReady) return
      // Processes of a server that was killed take a moment to notice.
      if (!/shared memory block|lock file|could not bind/.test(log)) throw new Error(`postgres ended: ${log}`)
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => {
      ending.once('exit', resolve)
    })
    ending.kill(signal)
    await ended
  }
  await start()
  const url = (schema?: string): string =>
    `postgres://postgres@127.0.0.1:${port}/postgres${schema === undefined ? '' : `?options=-c%20search_path%3D${schema}`}`
  return {
    port,
    url,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async execute(sql) {
      const client = new pg.Client({ connectionString: url() })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end().catch(() => {})
      }
    },
    async replicate(options = []) {
      const other = newFolder()
      const args = [
        '-D',
        other,
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'postgres',
        '-R',
        '-X',
        'stream',
        '--no-sync',
        '-c',
        'fast',
      ]
      await run(program('pg_basebackup'), args, { ...owner, cwd: other })
      return startIn(other, options)
    },
    async remove() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function program(name: string): string {
  return join(postgresFolder ?? '', name)
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-postgres-'))
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  return folder
}
