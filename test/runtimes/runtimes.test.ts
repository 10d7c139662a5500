import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDurable, startProgram, startWorker, type StartedApp } from './start.ts'
import { answerOf, chatOf, clientOf, counted, cuttingFetch, openPrompt, shown, until } from './talk.ts'

const STARTS: Readonly<Record<string, () => Promise<StartedApp>>> = {
  Bun: () => startProgram('bun'),
  Deno: () => startProgram('deno'),
  workerd: () => startWorker('worker.ts'),
  'a Durable Object': () => startDurable(),
}

describe.each(Object.entries(STARTS))('createAgentHandler in %s', (_, start) => {
  let app: StartedApp
  beforeAll(async () => {
    app = await start()
  })
  afterAll(() => app.stop())

  it('answers a first, a second and a third request', async () => {
    const client = clientOf(app.url)
    for (const question of ['one', 'two', 'three'])
      expect(await answerOf(client, question)).toBe(`You said ${question}.`)
    expect(await client.health()).toMatchObject({ status: 'ok' })
  })

  it('answers two users at a time', async () => {
    const answers = [40, 50].map((to) => answerOf(clientOf(app.url), `count ${to}`))
    expect(await Promise.all(answers)).toEqual([counted(40), counted(50)])
  })

  it('resumes an answer whose connection was cut', async () => {
    const { fetch, seen } = cuttingFetch(5)
    expect(await answerOf(clientOf(app.url, { fetch }), 'count 60')).toBe(counted(60))
    expect(seen).toHaveLength(2)
  })

  it.each(['wait', 'linger 300'])('stops a run that does %s', async (question) => {
    const chat = chatOf(clientOf(app.url))
    void chat.sendMessage(question)
    await until(() => shown(chat) === 'Waiting. ')
    expect(await chat.stop()).toBe('cancelled')
    expect(shown(chat)).toBe('Waiting. ')
  })

  it('asks for approval and continues with the answer', async () => {
    const chat = chatOf(clientOf(app.url))
    const sent = chat.sendMessage('mail')
    await until(() => openPrompt(chat) !== undefined)
    const { id = '', options, subject } = openPrompt(chat) ?? {}
    const optionId = options?.find(({ kind }) => kind === 'allow-once')?.id ?? ''
    expect(await chat.answer(id, { type: 'option', optionId, digest: subject?.digest })).toEqual({ status: 'accepted' })
    await sent
    expect(shown(chat)).toBe('It is sent.')
  })

  it('remembers the conversation', async () => {
    const chat = chatOf(clientOf(app.url))
    await chat.sendMessage('Good morning')
    await chat.sendMessage('history')
    expect(shown(chat)).toBe('Good morning | You said Good morning.')
  })
})
