import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../../layers/files.ts'
import { LONGEST_SILENCE_MS, LOST, type Seen } from '../../outages/meet-store-failure.ts'
import { DRIVERS } from './open-sqlite.ts'

const NOBODY = 65_534
let code = ''

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/server/event-log/sqlite/sqlite-rights-program.ts`],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    external: ['node-sqlite3-wasm'],
    alias: { vitest: `${ROOT}test/support/outside-vitest.ts` },
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(process.cwd() + '/x')",
    },
  })
  code = outputFiles[0]?.text ?? ''
})

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-rights-'))
  onTestFinished(() => {
    chmodSync(folder, 0o755)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Runs a program with the code as its input, and gives its output. */
async function run(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  user?: number,
): Promise<{ readonly exit: number | null; readonly output: string; readonly errors: string }> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    ...(user !== undefined && { uid: user, gid: user }),
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  // A program that ends before it has read its input says why itself.
  child.stdin.on('error', () => undefined)
  child.stdin.end(code)
  const exit = await new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  return { exit, output, errors }
}

const NODE = [process.execPath, '--input-type=module', '-'] as const
/** Makes a log, makes its file system read-only, and opens the log. In its own namespaces, so that the machine is left alone. */
const READ_ONLY =
  'code=$(cat) && mount -t tmpfs tmpfs "$FOLDER" && run() { printf "%s" "$code" | RIGHTS=$1 "$NODE" --input-type=module -; }; run create && mount -o remount,ro "$FOLDER" && run open'

/** Some drivers lock a database by a file next to it, and read nothing without it. */
const REFUSED: Partial<Seen> = {
  reconnect: expect.stringMatching(/^(?:409 log_expired|503 log_unavailable)$/),
  operator: ['storage_unavailable'],
}

/** Whether this machine gives a process a file system of its own. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0
if (!canMount) console.warn('This machine lets no test mount a file system: SQLite is not opened on a read-only one.')

describe.each(DRIVERS)('SQLite without the right to write ($name)', ({ name }) => {
  it.each([
    // A file that is open keeps the rights that it was opened with.
    [
      'file',
      {
        agent: 'finished',
        reader: 'complete after "one two three"',
        reconnect: '200',
        next: '200',
        repaired: '200',
        operator: [],
      },
    ],
    ['folder', REFUSED],
    ['both', REFUSED],
  ] satisfies [string, Partial<Seen>][])('lost in the middle of an answer: %s', async (rights, seen) => {
    const folder = folderOfTest()
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    const { output, errors } = await run(
      NODE,
      { RIGHTS: rights, DRIVER: name, FOLDER: folder },
      isRoot ? NOBODY : undefined,
    )
    expect(errors).toBe('')
    const { longestSilenceMs, ...others } = JSON.parse(output) as Seen
    expect(others).toEqual({ ...LOST, ...seen })
    expect(longestSilenceMs).toBeLessThanOrEqual(LONGEST_SILENCE_MS)
    expect(readFileSync(`${ROOT}docs/server.md`, 'utf8')).toContain(
      `| SQLite: lost rights to its ${rights === 'file' ? 'file' : 'folder'} |`,
    )
  })

  it.runIf(canMount)('lost before the server starts, with its file system: the log is not opened', async () => {
    const env = { DRIVER: name, FOLDER: folderOfTest(), NODE: process.execPath }
    const { output, errors } = await run(['unshare', '-rm', 'sh', '-c', READ_ONLY], env)
    expect(errors).toBe('')
    expect(output).toMatch(/^"opened"\n"(?:refused by the driver|storage_unavailable)"\n$/)
  })
})
