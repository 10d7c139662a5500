import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Program {
  /** Resolves with the first group of the pattern, once the output of the program matches. */
  match(pattern: RegExp): Promise<string>
  end(): Promise<void>
}

/** The first of these files that this machine has. */
export function findFile(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path))
}

/** Starts a program with its own home, which goes with it. */
export async function startProgram(
  path: string,
  args: (home: string) => readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'capstan-browser-'))
  const child = spawn(path, args(home), {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, ...env },
    // A separate group: a browser is several processes.
    detached: true,
  })
  let output = ''
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const seen = new EventTarget()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk)
      seen.dispatchEvent(new Event('output'))
    })
  return {
    match: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)
          if (found) resolve(found[1] ?? '')
        }
        seen.addEventListener('output', look)
        look()
        child.once('error', reject)
        void closed.then(() => reject(new Error(`${path} ended: ${output.slice(-500)}`)))
      }),
    async end() {
      try {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
      await closed
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
