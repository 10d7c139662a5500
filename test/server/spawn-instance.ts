import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { ROOT } from '../layers/files.ts'

export interface Instance {
  readonly origin: string
  /** As a machine that loses power: no goodbye, nothing flushed. */
  kill(): Promise<void>
}

const bundles = new Map<string, Promise<string>>()

async function instanceCode(file: string): Promise<string> {
  const known = bundles.get(file)
  if (known !== undefined) return known
  const made = build({
    entryPoints: [`${ROOT}test/server/${file}`],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['redis', 'pg'],
  }).then(({ outputFiles: [output] }) => output?.text ?? '')
  bundles.set(file, made)
  return made
}

/**
 * Starts a server in its own process.
 *
 * @param file the module it runs, in test/server
 */
export async function spawnInstance(
  env: Readonly<Record<string, string>>,
  file: 'instance.ts' | 'consent-instance.ts' | 'measured-proxy.ts' = 'instance.ts',
): Promise<Instance> {
  const code = await instanceCode(file)
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
  const address = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then(() => reject(new Error('The instance ended before it listened.')))
  })
  address.catch(() => undefined)
  child.stdin.end(code)
  return { origin: await address, kill }
}
