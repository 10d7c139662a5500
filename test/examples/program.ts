import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Program {
  /** Everything it has printed so far. */
  output(): string
  /** Resolves when it has printed what matches; rejects when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it and all it has started. */
  stop(): Promise<void>
}

/** What npm and vitest tell the programs they start, which would make an app in its own folder think it was this one. */
const OURS =
  /^(npm_(package|lifecycle|config_local_prefix|command|execpath|node_execpath)|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|NODE_TEST_CONTEXT$|VITE|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|FORCE_COLOR$|PORT$)/

function environmentOf({ env }: Surroundings): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', ...env }
}

/** Runs a program to its end, and gives what it printed. Rejects when it fails. */
export function run(command: string, args: readonly string[], surroundings: Surroundings): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd: surroundings.cwd,
      env: environmentOf(surroundings),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output}\n${errors}`)),
    )
  })
}

/** Starts a program that stays. It has a process group of its own, so that nothing it starts is left behind. */
export function start(command: string, args: readonly string[], surroundings: Surroundings): Program {
  const child = spawn(command, [...args], {
    cwd: surroundings.cwd,
    env: environmentOf(surroundings),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  let ended = false
  const waiting = new Set<() => void>()
  const hear = (bytes: Buffer): void => {
    output += bytes.toString()
    for (const look of [...waiting]) look()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const end = new Promise<void>((resolve) => {
    const settle = (): void => {
      ended = true
      for (const look of [...waiting]) look()
      resolve()
    }
    child.once('error', settle)
    child.once('close', settle)
  })

  return {
    output: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)
          if (!found && !ended) return
          waiting.delete(look)
          if (found) resolve(found)
          else reject(new Error(`${command} ${args.join(' ')} ended before it said ${pattern}.\n${output}`))
        }
        waiting.add(look)
        look()
      }),
    async stop() {
      if (!ended) killGroup(child)
      await end
    },
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended in the meantime.
  }
}

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
