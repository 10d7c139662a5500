import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { bundle } from './bundle.ts'

export interface StartedApp {
  readonly url: string
  stop(): Promise<void>
}

const COMMANDS = {
  bun: ['node_modules/.bin/bun', 'run'],
  deno: ['node_modules/.bin/deno', 'run', '--no-prompt', '--no-check', '--no-config', '--allow-net=127.0.0.1'],
} as const

/** An app of `apps` as a program of its own, which prints its address. */
export async function startProgram(runtime: keyof typeof COMMANDS): Promise<StartedApp> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-runtimes-'))
  const file = join(folder, 'app.mjs')
  writeFileSync(file, await bundle(`${runtime}.ts`))
  const [command, ...args] = COMMANDS[runtime]
  const program = spawn(join(import.meta.dirname, command), [...args, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: program.stdout })
  const [url] = (await Promise.race([
    once(lines, 'line'),
    once(program, 'exit').then(([code]) => {
      throw new Error(`${runtime} has exited with code ${code}.`)
    }),
  ])) as [string]
  return {
    url,
    async stop() {
      const exited = once(program, 'exit')
      program.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
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
    durableObjects: { AGENT: { className: 'Agent', useSQLite: true } },
    ...(persist !== undefined && { durableObjectsPersist: persist }),
  })
}
