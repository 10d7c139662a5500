import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

const TOKEN = 'the-token-of-the-cli'
const CLI = `${ROOT}dist/cli/main.js`
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill()
  running.clear()
})

interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  readonly out: () => string
  readonly err: () => string
  /** Resolves when one of its outputs has something. */
  says(text: string): Promise<string>
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [...args], { cwd: ROOT, env: { ...process.env, ...env } })
  running.add(child)
  let out = ''
  let err = ''
  const waiting: (() => void)[] = []
  const hear = (): void => waiting.forEach((look) => look())
  child.stdout.on('data', (bytes) => {
    out += String(bytes)
    hear()
  })
  child.stderr.on('data', (bytes) => {
    err += String(bytes)
    hear()
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    child,
    ended,
    out: () => out,
    err: () => err,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if ((out + err).includes(text)) resolve(out + err)
        }
        waiting.push(look)
        look()
        void ended.then((code) => reject(new Error(`It ended with ${code} and said no ${text}: ${out}${err}`)))
      }),
  }
}

const lines = (text: string): { type: string; payload: Record<string, unknown> }[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    // The program writes messages.
    .map((line) => JSON.parse(line) as { type: string; payload: Record<string, unknown> })

describe('the samples of ARCP', () => {
  const said: Readonly<Record<string, string>> = {
    'human-input.js': 'invalid /branch\naccepted\nReleased main\n',
    'minimal-session.js': 'accepted: example 1\n',
    'observer-subscription.js': 'job.accepted\ntool.result 3\nthat was before\njob.accepted\ntool.result 7\n',
    'permission-challenge.js': 'PERMISSION_DENIED\nextended: true\nLEASE_REVOKED\n',
    'relayed-human-in-the-loop.js': 'Deploy on a Friday? Yes / No, on Monday\nno, says user\naccepted\n',
    'tool-with-progress.js':
      'Looking at Elbe 1\nLooking at Rhine 2\nLooking at Danube 3\n3 rivers: Elbe Rhine Danube\n',
  }

  it('are six', () => {
    expect(readdirSync(`${ROOT}examples/arcp`).filter((file) => file.endsWith('.js'))).toEqual(Object.keys(said))
  })

  it.each(Object.keys(said))('%s runs to its end', async (file) => {
    const sample = start([`examples/arcp/${file}`])
    expect(await sample.ended, sample.err()).toBe(0)
    expect(sample.out()).toBe(said[file])
  })
})

describe('the program capstan', () => {
  async function served(...more: string[]): Promise<{ url: string; program: Program }> {
    const program = start([CLI, 'arcp', 'serve', '--ws', '0', ...more], { CAPSTAN_ARCP_TOKEN: TOKEN })
    await program.says('Listening on ws://')
    return { program, url: /ws:\S+/.exec(program.err())?.[0] ?? '' }
  }
  const call = (...words: string[]): Program => start([CLI, 'arcp', ...words], { CAPSTAN_ARCP_TOKEN: TOKEN })

  it('serves, sends, tails and replays, and writes its token nowhere', async () => {
    const { url, program } = await served()
    const tail = call('tail', '--ws', url, '--types', 'tool.result')
    await tail.says('Listening.')
    const sent = call('send', '--ws', url, 'echo', '{"n":7}')
    expect(await sent.ended, sent.err()).toBe(0)
    const types = lines(sent.out()).map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['job.accepted', 'job.started', 'stream.chunk', 'tool.result']))
    await tail.says('tool.result')
    tail.child.kill('SIGINT')
    expect(await tail.ended).toBe(0)
    expect(lines(tail.out())).toMatchObject([{ type: 'tool.result', payload: { value: { n: 7 } } }])
    const replay = call('replay', '--ws', url)
    expect(await replay.ended, replay.err()).toBe(0)
    const replayed = lines(replay.out()).map(({ type }) => type)
    expect(replayed.slice(0, types.length)).toEqual(types)
    expect(replayed.at(-1)).toBe('job.completed')
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    for (const each of [program, tail, sent, replay]) expect(each.out() + each.err()).not.toContain(TOKEN)
  })

  it('serves the tools of a module over its standard input and output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-cli-'))
    try {
      const file = join(folder, 'tools.mjs')
      writeFileSync(file, 'export default { double: async ({ n }) => 2 * n }')
      const program = start([CLI, 'arcp', 'serve', '--stdio', '--tools', file])
      const at = '2026-03-01T08:15:00Z'
      const write = (type: string, payload: object, more = {}): void =>
        void program.child.stdin?.write(
          `${JSON.stringify({ arcp: '1.0', id: `m-${type}`, type, timestamp: at, payload, ...more })}\n`,
        )
      const auth = { scheme: 'none' }
      write('session.open', { auth, client: { kind: 't', version: '1' }, capabilities: { anonymous: true } })
      await program.says('session.accepted')
      write('tool.invoke', { tool: 'double', arguments: { n: 21 } }, { session_id: 'its-own' })
      await program.says('tool.result')
      program.child.stdin?.end()
      expect(await program.ended).toBe(0)
      expect(lines(program.out()).find(({ type }) => type === 'tool.result')?.payload).toEqual({ value: 42 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('ends with 1 where the runtime refuses, and with 2 where it was asked wrongly', async () => {
    const { url } = await served()
    const none = call('send', '--ws', url, 'missing')
    expect(await none.ended).toBe(1)
    expect(none.err()).toContain('UNIMPLEMENTED')
    const stranger = start([CLI, 'arcp', 'send', '--ws', url, 'echo'], { CAPSTAN_ARCP_TOKEN: 'guessed' })
    expect(await stranger.ended).toBe(1)
    expect(stranger.err()).toContain('UNAUTHENTICATED')
    expect(stranger.err()).not.toContain('guessed')
    for (const words of [
      ['serve'],
      ['send', '--ws', url],
      ['tail'],
      ['explode'],
      ['send', '--ws', url, 'echo', '[1]'],
    ]) {
      const wrong = call(...words)
      expect(await wrong.ended, words.join(' ')).toBe(2)
      expect(wrong.err()).toContain('capstan arcp serve')
    }
  })
})
