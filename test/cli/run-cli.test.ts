import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { runCli } from '../../src/cli/run-cli.ts'

/** What the program prints, and the code that it ends with. */
async function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const warned: string[] = []
  const code = await runCli(words, {
    print: (text) => warned.push(text),
    warn: (text) => warned.push(text),
    env,
    stop: AbortSignal.abort(),
  })
  return { code, warned: warned.join('\n') }
}

describe('the token of capstan arcp', () => {
  it.each([
    ['serve', ['arcp', 'serve', '--ws', '0']],
    ['send', ['arcp', 'send', '--ws', 'ws://127.0.0.1:1', 'echo']],
    ['tail', ['arcp', 'tail', '--ws', 'ws://127.0.0.1:1']],
    ['replay', ['arcp', 'replay', '--ws', 'ws://127.0.0.1:1']],
  ])('is refused by %s when it is empty, which nobody meant', async (_command, words) => {
    const { code, warned } = await run(words, { CAPSTAN_ARCP_TOKEN: '' })
    expect(warned).toContain('CAPSTAN_ARCP_TOKEN is empty')
    expect(code).toBe(2)
  })

  it('may be absent', async () => {
    expect(await run(['arcp', 'serve', '--ws', '0'], {})).toMatchObject({ code: 0 })
  })
})

describe('capstan arcp serve without a token', () => {
  it.each(['0.0.0.0', '::', '', '192.168.1.5', 'example.org', 'localhost.example.org'])(
    'does not listen beyond this machine: --host "%s"',
    async (host) => {
      const { code, warned } = await run(['arcp', 'serve', '--ws', '0', `--host=${host}`], {})
      expect(warned).toContain('Without a token everybody')
      expect(warned).not.toContain('Listening')
      expect(code).toBe(2)
    },
  )

  it.each(['127.0.0.1', 'localhost', '127.0.0.2'])('listens on this machine, and warns: --host %s', async (host) => {
    const { code, warned } = await run(['arcp', 'serve', '--ws', '0', '--host', host], {})
    expect(warned).toContain(`Listening on ws://${host}:`)
    expect(warned).toContain('Every program of this machine may run the tools.')
    expect(code).toBe(0)
  })

  it('listens everywhere with a token', async () => {
    const { code, warned } = await run(['arcp', 'serve', '--ws', '0', '--host', '0.0.0.0'], {
      CAPSTAN_ARCP_TOKEN: 'secret',
    })
    expect(warned).toMatch(/^Listening on ws:\/\/0\.0\.0\.0:\d+$/)
    expect(code).toBe(0)
  })

  it.each([
    ['of this machine', 'localhost', {}, true],
    ['that was pointed at this machine', 'evil.example', {}, false],
    ['that was pointed at this machine, with a token', 'evil.example', { CAPSTAN_ARCP_TOKEN: 'secret' }, true],
  ])('opens connections to a name %s: %s', async (_name, host, env, isOpened) => {
    const stop = new AbortController()
    let listening = (_url: string): void => {}
    const url = new Promise<string>((resolve) => {
      listening = resolve
    })
    const served = runCli(['arcp', 'serve', '--ws', '0'], {
      print: () => undefined,
      warn: (text) => text.startsWith('Listening on ') && listening(text.slice('Listening on '.length)),
      env,
      stop: stop.signal,
    })
    const { port } = new URL(await url)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, {
      origin: `http://${host}:${port}`,
      headers: { host: `${host}:${port}` },
    })
    const opened = await new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    expect(opened).toBe(isOpened)
    socket.terminate()
    stop.abort()
    expect(await served).toBe(0)
  })
})

describe('capstan postgres schema', () => {
  it('prints the tables of the event log and of the conversation store', async () => {
    const { code, warned } = await run(['postgres', 'schema'], {})
    expect(code).toBe(0)
    for (const table of ['capstan_log', 'capstan_conversations', 'capstan_turns'])
      expect(warned).toContain(`CREATE TABLE IF NOT EXISTS ${table} `)
  })

  it('is the only command of postgres', async () => {
    expect(await run(['postgres', 'serve'], {})).toMatchObject({ code: 2 })
    expect(await run(['arcp', 'schema'], {})).toMatchObject({ code: 2 })
  })
})
