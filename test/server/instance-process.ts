import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { ROOT } from '../layers/files.ts'

export interface Instance {
  readonly origin: string
  /** As a machine that loses power: no goodbye, nothing flushed. */
  kill(): Promise<void>
}

let bundle: Promise<string> | undefined

async function instanceCode(): Promise<string> {
  bundle ??= build({
    entryPoints: [`${ROOT}test/server/instance.ts`],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['redis'],
  }).then(({ outputFiles: [file] }) => file?.text ?? '')
  return bundle
}

/** Starts a server in a process of its own, and ends it with the test. */
export async function startInstance(env: Readonly<Record<string, string>>): Promise<Instance> {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const address = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then(() => reject(new Error('The instance ended before it listened.')))
  })
  address.catch(() => undefined)
  child.stdin.end(await instanceCode())
  return { origin: await address, kill }
}
