import { describe, expect, it } from 'vitest'
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
