import { afterEach, describe, expect, it } from 'vitest'
import type { A2AScenarioId } from '../../../../playground/server/a2a/a2a-scenarios.ts'
import { a2aScenarios } from '../../../../playground/server/a2a/a2a-scenarios.ts'
import { A2AClient, AgentCardResolver } from '../../../../src/a2a.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { createChat } from '../../../../src/state/chat.ts'
import type { Prompt } from '../../../../src/seam/prompt.ts'
import { instantPace } from '../../instant-pace.ts'
import type { OpenPlayground } from '../../open-playground.ts'
import { openPlayground } from '../../open-playground.ts'

const PAGES = [
  {
    path: 'docs/rivers.md',
    markdown:
      '# Rivers\n\nHow rivers move.\n\n## Why do rivers meander?\n\nRivers meander because the outer bank of a bend is worn away.\n\n## How wide do meanders become?\n\nMeanders become ten to fourteen times as wide as the river.\n\n## What ends a meander?\n\nA meander ends as an oxbow lake.\n',
  },
]
const SLOW = { ...instantPace, deltaMs: 15 }
const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

function chatWith({ origin }: OpenPlayground, scenario: A2AScenarioId = 'a2a'): ChatInstance {
  const client = A2AClient.fromUrl(`${origin}/a2a`, {
    context: { metadata: { scenario } },
    retry: { ...backoff({ maxAttempts: 20 }), delayMs: () => 20 },
  })
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  chats.push(chat)
  return chat
}

const partsOf = (chat: ChatInstance) =>
  chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')?.parts ?? []
const textOf = (chat: ChatInstance): string =>
  partsOf(chat).reduce((all, part) => (part.type === 'text' ? all + part.text : all), '')

function openPrompt(chat: ChatInstance): Prompt {
  const prompt = partsOf(chat)
    .flatMap((part) => (part.type === 'prompt' ? [part.prompt] : []))
    .find(({ state }) => state === 'open')
  if (prompt === undefined) throw new Error('Nothing is asked.')
  return prompt
}

describe('the agent of the playground over A2A', () => {
  it('has a card that leads to it, with examples of what to ask', async () => {
    const { origin } = await openPlayground()
    const card = await new AgentCardResolver().resolve(`${origin}/a2a`)
    expect(card).toMatchObject({
      name: 'capstan docs',
      skills: [{ examples: expect.arrayContaining(['How does reconnection work?']) }, {}],
    })
    expect(card.supportedInterfaces).toEqual([
      { url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ])
  })

  it('answers from the pages and names its sources', async () => {
    const chat = chatWith(await openPlayground({ pages: PAGES }))
    await chat.sendMessage('Why do rivers meander?')
    expect(textOf(chat)).toContain('the outer bank of a bend is worn away')
    expect(partsOf(chat).find(({ type }) => type === 'citations')).toMatchObject({
      citations: [{ title: 'Rivers › Why do rivers meander?' }],
    })
    expect(chat.getSnapshot()).toMatchObject({ error: undefined, warnings: [] })
  })

  it('asks which section is meant, and continues with the same task', async () => {
    const playground = await openPlayground({ pages: PAGES })
    const chat = chatWith(playground, 'a2a-ask')
    await chat.sendMessage('meanders')
    const prompt = openPrompt(chat)
    expect(prompt).toMatchObject({ kind: 'form', message: expect.stringContaining('“meanders”') })
    const asked = JSON.stringify(prompt.schema)
    const [, choice] = /"const":"([^"]+)","title":"How wide/.exec(asked) ?? []
    await chat.answer(prompt.id, { type: 'value', value: { choice } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(textOf(chat)).toContain('ten to fourteen times')
    const { tasks } = await A2AClient.fromUrl(`${playground.origin}/a2a`).listTasks()
    expect(tasks).toMatchObject([{ status: { state: 'TASK_STATE_COMPLETED' } }])
  })

  it('writes a file when it may, and gives it back as bytes', async () => {
    const chat = chatWith(await openPlayground({ pages: PAGES }), 'a2a-file')
    await chat.sendMessage('Summarize the page about rivers')
    await chat.answer(openPrompt(chat).id, { type: 'value', value: { allow: true, name: 'bends.md' } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(textOf(chat)).toMatch(/Written to `.*bends\.md`/)
    const file = partsOf(chat).find((part) => part.type === 'artifact')
    expect(file).toMatchObject({ name: 'bends.md', mimeType: 'text/markdown', state: 'complete' })
    expect(Buffer.from(file?.type === 'artifact' ? (file.bytes ?? '') : '', 'base64').toString()).toContain('# Rivers')
  })

  it('writes nothing when it may not', async () => {
    const chat = chatWith(await openPlayground({ pages: PAGES }), 'a2a-file')
    await chat.sendMessage('Summarize the page about rivers')
    await chat.answer(openPrompt(chat).id, { type: 'value', value: { allow: false } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(textOf(chat)).toContain('I have written nothing.')
    expect(partsOf(chat).some(({ type }) => type === 'artifact')).toBe(false)
  })

  it('answers from a file that came as bytes', async () => {
    const chat = chatWith(await openPlayground({ pages: PAGES }), 'a2a-attach')
    const data = Buffer.from('# Notes\n\n## Oxbow lakes\n\nAn oxbow lake becomes three hundred years old.\n').toString(
      'base64',
    )
    await chat.sendMessage({ text: 'How old does an oxbow lake become?', files: [{ data, name: 'notes.md' }] })
    expect(textOf(chat)).toContain('three hundred years')
  })

  it('waits until somebody has signed in elsewhere, and continues by itself', async () => {
    const playground = await openPlayground()
    const chat = chatWith(playground, 'a2a-sign-in')
    const sent = chat.sendMessage('What does the authority measure?')
    await expect.poll(() => chat.getSnapshot().status).toBe('awaiting-input')
    const { url = '' } = openPrompt(chat)
    expect(new URL(url).origin).toBe(playground.origin)
    await fetch(url)
    await sent
    expect(textOf(chat)).toContain('twelve gauges')
  })

  it('is cancelled by a stop', async () => {
    const playground = await openPlayground({ pace: SLOW })
    const chat = chatWith(playground, 'a2a-long')
    const sent = chat.sendMessage('Write a diary of a river.')
    await expect.poll(() => textOf(chat).length).toBeGreaterThan(20)
    expect(await chat.stop()).toBe('cancelled')
    await sent
    const { tasks } = await A2AClient.fromUrl(`${playground.origin}/a2a`).listTasks()
    expect(tasks).toMatchObject([{ status: { state: 'TASK_STATE_CANCELED' } }])
  })

  it('fails half-way and says why', async () => {
    const chat = chatWith(await openPlayground(), 'a2a-fails')
    await chat.sendMessage('Read the gauges of the authority.')
    expect(textOf(chat)).toContain('2.4 m')
    expect(chat.getSnapshot().error).toMatchObject({
      agentCode: 'task_failed',
      message: 'The second gauge does not answer.',
    })
  })

  it('answers whole over a connection that the panel drops, and is asked once', async () => {
    const playground = await openPlayground({ pace: SLOW, pages: PAGES })
    const whole = chatWith(await openPlayground({ pages: PAGES }))
    await whole.sendMessage('Why do rivers meander?')
    const chat = chatWith(playground)
    const sent = chat.sendMessage('Why do rivers meander?')
    await expect.poll(() => textOf(chat).length).toBeGreaterThan(5)
    await playground.network({ action: 'drop' })
    await sent
    expect(textOf(chat)).toBe(textOf(whole))
    const { runs } = await playground.state()
    expect(runs).toMatchObject([{ agentRuns: 1 }])
    expect(runs[0]?.attempts.map(({ ending }) => ending)).toEqual(['dropped', expect.stringMatching(/finished|left/)])
  })
})

describe('the scenarios over A2A', () => {
  it('have names of their own', () => {
    expect(new Set(a2aScenarios.map(({ id }) => id)).size).toBe(a2aScenarios.length)
    expect(a2aScenarios.every(({ id }) => id.startsWith('a2a'))).toBe(true)
  })
})
