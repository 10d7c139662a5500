import { afterEach, describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import { createChat } from '../../src/state/chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import type { CommandFault } from '../../src/testing/command-fault.ts'
import { faultyServer } from '../../src/testing/faulty-server.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import type { Script, ScriptedAgent, ScriptedAgentOptions } from '../../src/testing/scripted-agent.ts'
import { cut, pause, scriptedAgent } from '../../src/testing/scripted-agent.ts'
import { loadRarePackets } from '../../src/protocols/cap/load-on-demand.ts'

// Loaded on demand; loaded before, nothing but promises and the clock remains.
await loadRarePackets()

let chat: ChatInstance

afterEach(() => chat.dispose())

const clock = manualClock()

/** A chat with an agent that has spoken up to its first wait. */
async function begin(script: Script, options: ScriptedAgentOptions = {}): Promise<ScriptedAgent> {
  const agent = scriptedAgent(script, { clock, ...options })
  const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch, environment: clock.environment })
  chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  void chat.sendMessage('Write to Ann')
  await until(() => ['awaiting-input', 'streaming'].includes(chat.getSnapshot().status))
  return agent
}

/** Moves time until something is so. Digests and modules come from outside of the clock. */
async function until(is: () => boolean, stepMs = 20): Promise<void> {
  const look = async (): Promise<boolean> => {
    await clock.advance(stepMs)
    return is()
  }
  await expect.poll(look, { interval: 1, timeout: 5_000 }).toBe(true)
}

/** Moves time until a promise is settled. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false
  const mark = async (): Promise<void> => {
    await Promise.allSettled([promise])
    isSettled = true
  }
  void mark()
  await until(() => isSettled, 500)
  return promise
}

const prompts = (): readonly Prompt[] => chat.getSnapshot().messages.flatMap(promptsOf)
const answer = (): string => textOf(chat.getSnapshot().messages.at(-1)!)

function mailer(): { readonly script: Script; readonly sent: unknown[] } {
  const sent: unknown[] = []
  return {
    sent,
    script: [
      'One moment. ',
      cut(),
      async (run) => {
        const said = await run.ask({
          kind: 'approval',
          message: 'May I send it?',
          subject: { name: 'send_mail', input: { to: 'Ann' } },
        })
        if (said.type === 'allowed') sent.push(said.input)
        return said.type === 'allowed' ? ['It is ', 'sent.'] : 'Then not.'
      },
    ],
  }
}

async function allow(): Promise<unknown> {
  await until(() => prompts().some(({ state }) => state === 'open'))
  const [prompt] = prompts()
  return settled(
    chat.answer(prompt?.id ?? '', { type: 'option', optionId: 'allow-once', digest: prompt?.subject?.digest }),
  )
}

describe('a scripted agent that asks', () => {
  it('waits for the answer, over a connection that breaks, and continues with what it was told', async () => {
    const { script, sent } = mailer()
    const agent = await begin(script)
    expect(await allow()).toEqual({ status: 'accepted' })
    await until(() => chat.getSnapshot().status === 'ready')
    expect(answer()).toBe('One moment. It is sent.')
    expect(sent).toEqual([{ to: 'Ann' }])
    expect(agent).toMatchObject({ runs: 1, attempts: { length: 2 } })
    expect(agent.commands).toMatchObject([{ name: 'answer', body: { prompt_id: prompts()[0]?.id } }])
  })

  const FAULTS: readonly (readonly [string, CommandFault, number])[] = [
    ['is lost', { type: 'lose' }, 2],
    ['arrives, and its response is lost', { type: 'lose-answer' }, 2],
    ['arrives twice', { type: 'double' }, 1],
    ['comes late', { type: 'delay', ms: 4_000 }, 1],
    ['comes so late that it is sent again', { type: 'delay', ms: 60_000 }, 2],
    ['is refused once', { type: 'status', status: 503, retryAfter: 1 }, 2],
  ]

  it.each(FAULTS)('is answered once where the answer %s', async (_, fault, times) => {
    const { script, sent } = mailer()
    const agent = await begin(script, { commandFaults: [fault] })
    expect(await allow()).toEqual({ status: 'accepted' })
    await until(() => chat.getSnapshot().status === 'ready')
    await clock.advance(60_000)
    expect(sent).toEqual([{ to: 'Ann' }])
    expect(prompts().map(({ state }) => state)).toEqual(['answered'])
    expect(agent.commands).toHaveLength(times)
    expect(new Set(agent.commands.map(({ body }) => body['answer_id'])).size).toBe(1)
  })

  it('is not answered where the answer is refused for good', async () => {
    const { script, sent } = mailer()
    await begin(script, { commandFaults: () => ({ type: 'status', status: 403 }) })
    expect(await allow()).toMatchObject({ status: 'refused', error: { code: 'forbidden' } })
    expect(prompts().map(({ state }) => state)).toEqual(['open'])
    expect(sent).toEqual([])
  })
})

describe('a scripted agent that is stopped', () => {
  it('learns of it, and the chat says that it has stopped', async () => {
    let reason: unknown
    const agent = await begin([
      'Counting ',
      (run) => {
        run.signal.addEventListener('abort', () => (reason = run.signal.reason))
      },
      pause(1_000_000),
      'to the end.',
    ])
    await until(() => answer() === 'Counting ')
    expect(await settled(chat.stop())).toBe('cancelled')
    expect(reason).toMatchObject({ agentCode: 'cancelled' })
    expect(agent.commands).toMatchObject([{ name: 'cancel' }])
  })

  it.each([
    ['has no control endpoints', { control: false }, 0],
    ['never gets the request', { commandFaults: (): CommandFault => ({ type: 'lose' }) }, 4],
  ])('may still be working where its server %s', async (_, options: ScriptedAgentOptions, times) => {
    const agent = await begin(['Counting ', pause(1_000_000)], options)
    await until(() => answer() === 'Counting ')
    expect(await settled(chat.stop())).toBe('left')
    expect(agent.commands).toHaveLength(times)
  })
})

describe('a scripted agent that is steered', () => {
  it('hears a word into its answer once, however often it arrives', async () => {
    const agent = await begin(
      [
        'Where? ',
        async function* (run) {
          for await (const { text } of run.inbox) {
            yield `${text}.`
            return
          }
        },
      ],
      { commandFaults: [{ type: 'double' }] },
    )
    await until(() => answer() === 'Where? ')
    await settled(chat.say('North'))
    await until(() => chat.getSnapshot().status === 'ready')
    expect(answer()).toBe('Where? North.')
    expect(agent.commands).toMatchObject([{ name: 'say', body: { text: 'North' } }])
  })
})

it('a script with a cut behind a function is refused: its place is not known', async () => {
  const agent = scriptedAgent([() => 'Some', cut()])
  await expect(
    agent.fetch('https://agent.test/v1/assist', { method: 'POST', body: '{}', headers: { 'x-request-id': 'r' } }),
  ).rejects.toMatchObject({ code: 'app_error' })
})

it('a faulty server loses, doubles and refuses commands on real sockets', async () => {
  const heard: string[] = []
  const server = await faultyServer({
    agent: async function* (_request, run) {
      yield 'Where? '
      for await (const { text } of run.inbox) {
        heard.push(text)
        if (text === 'Thanks') return
      }
    },
    commandFaults: [{ type: 'lose-answer' }, { type: 'double' }, { type: 'lose' }],
  })
  const client = new CapClient({ baseUrl: server.origin, environment: { random: () => 0 } })
  chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  const done = chat.sendMessage('Go')
  await until(() => textOf(chat.getSnapshot().messages.at(-1)!) === 'Where? ')
  await chat.say('North')
  await chat.say('Thanks')
  await done
  expect(heard).toEqual(['North', 'Thanks'])
  expect(server.commands.map(({ name }) => name)).toEqual(['say', 'say', 'say', 'say'])
  expect(server.attempts).toHaveLength(1)
  await server.close()
})
