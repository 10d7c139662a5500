import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { bundle } from './bundle.ts'

export interface StartedApp {
  readonly url: string
  readonly stop: () => Promise<void>
}

const COMMANDS = {
  bun: ['bun', 'run'],
  deno: ['deno', 'serve', '--no-config', '--host', '127.0.0.1', '--port', '0'],
} as const

/** An app whose default export has `fetch`, as its own program. */
export async function startProgram(
  runtime: keyof typeof COMMANDS,
  app: Parameters<typeof bundle>[0] = 'server.ts',
): Promise<StartedApp> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-runtimes-'))
  writeFileSync(join(folder, 'app.mjs'), await bundle(app))
  // Bun would listen on all addresses.
  writeFileSync(
    join(folder, 'main.mjs'),
    "import app from './app.mjs'\nexport default { ...app, hostname: '127.0.0.1' }\n",
  )
  const [command, ...args] = COMMANDS[runtime]
  const program = spawn(join(import.meta.dirname, 'node_modules/.bin', command), [...args, 'main.mjs'], {
    cwd: folder,
    env: { ...process.env, BUN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(program, 'exit')
  return {
    url: await Promise.race([
      printedUrl(program.stdout),
      printedUrl(program.stderr),
      exited.then(([code]) => {
        throw new Error(`${runtime} has exited with code ${code}.`)
      }),
    ]),
    stop: async () => {
      program.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

/** The first address that a program prints. Reads on after that, so that the program never waits for its output. */
function printedUrl(output: Readable): Promise<string> {
  let printed = ''
  return new Promise((resolve) => {
    output.on('data', (bytes: Buffer) => {
      printed += bytes.toString()
      const port = /http:\/\/\S+?:(\d+)\/?\s/.exec(printed)?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}/`)
    })
  })
}

/** The compatibility date of a new project. */
const COMPATIBILITY_DATE = '2026-04-01'

export interface StartedWorker extends StartedApp {
  readonly miniflare: Miniflare
}

/** An app in workerd. */
export async function startWorker(
  app: Parameters<typeof bundle>[0],
  options: Partial<MiniflareOptions> = {},
): Promise<StartedWorker> {
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'app.mjs', contents: await bundle(app) }],
    compatibilityDate: COMPATIBILITY_DATE,
    host: '127.0.0.1',
    ...options,
  } as MiniflareOptions)
  const { href: url } = await miniflare.ready
  return { url, miniflare, stop: () => miniflare.dispose() }
}

/** The app of Durable Objects. @param persist a folder that outlives it. Absent: nothing does */
export function startDurable(persist?: string): Promise<StartedWorker> {
  return startWorker('durable.ts', {
    durableObjects: {
      AGENT: { className: 'Agent', useSQLite: true },
      BRIEF: { className: 'Brief', useSQLite: true },
      SLEEPER: { className: 'Sleeper', useSQLite: true },
    },
    ...(persist !== undefined && { durableObjectsPersist: persist }),
  })
}
