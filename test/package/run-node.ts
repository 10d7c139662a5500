import { spawn } from 'node:child_process'
import { ROOT } from '../layers/files.ts'

/** Runs a module in plain Node at the root of the package, where `capstan` is the package itself; gives what it printed. Rejects when it failed. */
export function runNode(code: string, flags: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, '--input-type=module', '-'], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
    child.once('error', reject)
    child.once('close', (exitCode) => (exitCode === 0 ? resolve(output) : reject(new Error(errors))))
    child.stdin.end(code)
  })
}
