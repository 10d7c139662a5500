import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CapClient } from '../../src/index.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { startInstance, type Instance } from '../server/instance-process.ts'
import { describeWithRedis, startRedis } from '../server/redis-server.ts'

const CONVERSATION = '0b0e9a53-66a1-4a4b-8f5e-0a4f7f7f0c11'

interface Work {
  readonly env: Readonly<Record<string, string>>
  /** How often the mail was sent, by whichever process. */
  readonly times: () => number
}

/** What an agent writes to when it does what it may. */
function work(workMs: number): Work {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-consent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'done.txt')
  return {
    env: { DONE_FILE: file, WORK_MS: String(workMs) },
    times: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0),
  }
}

/** A page that asks whichever of the servers is there. */
function chatAt(origins: () => string, from?: ReturnType<CapturableChat['capture']>): CapturableChat {
  const client = new CapClient({
    baseUrl: 'http://agent.test',
    maxRetries: 10,
    fetch: (url, init) => fetch(url.replace('http://agent.test', origins()), init),
    environment: { random: () => 0.1 },
  })
  const chat = createChat({ client: () => client, conversationId: CONVERSATION, initialState: from })
  onTestFinished(() => chat.dispose())
  return chat
}

const prompts = (chat: CapturableChat): readonly Prompt[] => chat.getSnapshot().messages.flatMap(promptsOf)
const states = (chat: CapturableChat): readonly string[] => prompts(chat).map(({ state }) => state)

async function until(is: () => boolean): Promise<void> {
  await expect.poll(is, { interval: 10, timeout: 30_000 }).toBe(true)
}

async function asked(chat: CapturableChat): Promise<Prompt> {
  void chat.sendMessage('Write to Ann')
  await until(() => states(chat).includes('open'))
  const [prompt] = prompts(chat)
  if (prompt === undefined) throw new Error('It was just there.')
  return prompt
}

const allow = (chat: CapturableChat, { id, subject }: Prompt): ReturnType<CapturableChat['answer']> =>
  chat.answer(id, { type: 'option', optionId: 'allow-once', digest: subject?.digest })

const isOver = (chat: CapturableChat): boolean => ['ready', 'error'].includes(chat.getSnapshot().status)

/** Long enough between the answer and what is done about it for a process to be killed. */
const LONG_MS = 60_000

describe('a server that is killed between the answer and what it allows', { timeout: 90_000 }, () => {
  it('has done nothing where it alone had the log, and the prompt does not stay open', async () => {
    const { env, times } = work(LONG_MS)
    let instance: Instance = await startInstance(env, 'consent-instance.ts')
    const chat = chatAt(() => instance.origin)
    const prompt = await asked(chat)
    expect(await allow(chat, prompt)).toEqual({ status: 'accepted' })
    await instance.kill()
    instance = await startInstance(env, 'consent-instance.ts')
    await until(() => isOver(chat))
    expect(chat.getSnapshot().messages.at(-1)).toMatchObject({ status: 'failed' })
    expect(states(chat)).toEqual(['answered'])
    expect(times()).toBe(0)
    // The same answer to a process that knows of nothing allows nothing.
    expect(await allow(chat, prompt)).toEqual({ status: 'too-late' })
    expect(times()).toBe(0)
  })

  it('has withdrawn a prompt that nobody had answered', async () => {
    const { env, times } = work(0)
    let instance: Instance = await startInstance(env, 'consent-instance.ts')
    const chat = chatAt(() => instance.origin)
    const prompt = await asked(chat)
    await instance.kill()
    instance = await startInstance(env, 'consent-instance.ts')
    await until(() => isOver(chat))
    expect(states(chat)).toEqual(['withdrawn'])
    expect(await allow(chat, prompt)).toEqual({ status: 'too-late' })
    expect(times()).toBe(0)
  })
})

describeWithRedis('one of two servers over Redis that is killed', { timeout: 90_000 }, () => {
  async function two(env: Readonly<Record<string, string>>): Promise<readonly [Instance, Instance]> {
    const redis = await startRedis()
    const all = { ...env, REDIS_URL: redis.url, PREFIX: 'consent:' }
    return [await startInstance(all, 'consent-instance.ts'), await startInstance(all, 'consent-instance.ts')]
  }

  it('after the answer and before what it allows has done nothing, and every page hears how it ended', async () => {
    const { env, times } = work(LONG_MS)
    const [first, second] = await two(env)
    let origin = first.origin
    const chat = chatAt(() => origin)
    const prompt = await asked(chat)
    // The answer goes to the other process, which does not run the agent.
    origin = second.origin
    expect(await allow(chat, prompt)).toEqual({ status: 'accepted' })
    await first.kill()
    await until(() => isOver(chat))
    expect(chat.getSnapshot().messages.at(-1)).toMatchObject({
      status: 'failed',
      error: { agentCode: 'run_interrupted' },
    })
    expect(states(chat)).toEqual(['answered'])
    // The log keeps the answer: it is known, and carried out by nobody.
    const later = chatAt(() => origin, chat.capture())
    expect(await allow(later, prompt)).toEqual({ status: 'too-late' })
    expect(states(later)).toEqual(['answered'])
    expect(times()).toBe(0)
  })

  it('before it was answered has its prompt withdrawn by the other', async () => {
    const { env, times } = work(0)
    const [first, second] = await two(env)
    let origin = first.origin
    const chat = chatAt(() => origin)
    const prompt = await asked(chat)
    origin = second.origin
    await first.kill()
    const answered = allow(chat, prompt)
    await until(() => isOver(chat))
    expect(await answered).toEqual({ status: 'too-late' })
    expect(states(chat)).toEqual(['withdrawn'])
    expect(chat.getSnapshot().messages.at(-1)).toMatchObject({ error: { agentCode: 'run_interrupted' } })
    expect(times()).toBe(0)
  })

  it('while the answer is on its way has done it once or not at all', async () => {
    const { env, times } = work(0)
    const [first, second] = await two(env)
    let origin = first.origin
    const chat = chatAt(() => origin)
    const prompt = await asked(chat)
    origin = second.origin
    const answered = allow(chat, prompt)
    await first.kill()
    const { status } = await answered
    await until(() => isOver(chat))
    expect(['accepted', 'too-late']).toContain(status)
    // What was not taken was not done; what was taken may have been.
    expect(times()).toBeLessThanOrEqual(status === 'accepted' ? 1 : 0)
    expect(states(chat)).toEqual([status === 'accepted' ? 'answered' : 'withdrawn'])
  })
})
