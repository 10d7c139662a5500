// A copy of the sources in which guards are broken, and the process that runs tests there.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './broken-guards.js'

export const COPIED = ['src', 'test', 'stories', 'playground', 'package.json', 'tsconfig.json', 'vitest.config.ts']
export const NEVER_ENDS = '(it never ends)'

/**
 * @returns the folder of the copy, `change` to name a file of it that was written, `firstFailure` for the first test that fails, and
 *   `close`
 */
export function createMutantTests() {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-mutants-'))
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    })
  for (const packages of ['node_modules', 'test/models/node_modules'])
    if (existsSync(join(ROOT, packages))) symlinkSync(join(ROOT, packages), join(folder, packages), 'junction')

  /** The process that runs tests; another one takes its place when a mutant never ends. */
  let session
  /** Files that are not what the session has read. */
  const changed = new Set()

  async function open() {
    const child = fork(join(ROOT, 'scripts/mutant-session.js'), [], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await once(child, 'message')
    return child
  }

  function end() {
    session?.kill('SIGKILL')
    session = undefined
  }

  /** The answer of the session; undefined when there is none in time. */
  async function ask(question, timeout) {
    session ??= await open()
    const own = session
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(resolve, timeout)
      own.once('message', (message) => {
        clearTimeout(timer)
        resolve(message)
      })
      own.send({ ...question, changed: [...changed] })
      changed.clear()
    })
    if (answer === undefined) end()
    return answer
  }

  return {
    folder,
    change: (path) => void changed.add(join(folder, path)),
    ask,
    /** The first test that fails, with its file: in the files, or under one name in them. A mutant that never ends is noticed too. */
    firstFailure: async (files, timeout, name) =>
      (await ask({ run: { files, name } }, timeout)) ?? { failure: NEVER_ENDS },
    close() {
      end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
