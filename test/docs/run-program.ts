import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ROOT } from '../layers/files.ts'

export interface Outcome {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

export interface Program {
  /** Resolves with the first line it prints. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Outcome>
  stop(): void
}

/**
 * Runs code as a module of plain Node in the root of the package, where `capstan` names the package
 * itself, so that it loads what is built and exported and nothing else.
 */
export function runProgram(
  code: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(process.execPath, ['--input-type=module', '-', ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ code: exitCode, output, errors }))
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then((outcome) => reject(new Error(`The program ended before it printed a line.\n${outcome.errors}`)))
  })
  // Most programs are only waited for; then nobody asks for the line.
  firstLine.catch(() => undefined)
  child.stdin.end(code)
  return { firstLine, ended, stop: () => void child.kill() }
}
