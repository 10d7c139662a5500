import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// A runtime like that of React Native, as docs/deploying.md tells it: what browsers have and phones lack is not there.

const LACKING = [
  'window',
  'document',
  'location',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'BroadcastChannel',
  'addEventListener',
  'fetch',
] as const

beforeEach(() => {
  for (const name of LACKING) vi.stubGlobal(name, undefined)
  const { crypto } = globalThis
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) })
  vi.stubGlobal('navigator', { product: 'ReactNative' })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

// Loaded in that runtime.
async function load() {
  const { CapClient, createChat, textOf } = await import('../../src/index.ts')
  const { createThreadStore } = await import('../../src/storage.ts')
  const { cut, scriptedAgent } = await import('../../src/testing.ts')
  return { CapClient, createChat, textOf, createThreadStore, cut, scriptedAgent }
}

it('has a chat that streams, resumes where a connection was cut, and stays complete', async () => {
  const { CapClient, createChat, textOf, cut, scriptedAgent } = await load()
  const agent = scriptedAgent(['Rivers ', cut(), 'meander.'])
  const client = new CapClient({
    baseUrl: 'https://app.example/agent',
    fetch: agent.fetch,
    environment: { random: () => 0 },
  })
  const chat = createChat({ client: () => client, conversationId: client.environment.uuid() })
  await chat.sendMessage('Why?')
  const answer = chat.getSnapshot().messages.at(-1)
  expect([answer?.status, answer && textOf(answer), agent.attempts.length, agent.runs]).toEqual([
    'complete',
    'Rivers meander.',
    2,
    1,
  ])
})

it('keeps conversations in memory, and says so', async () => {
  const { CapClient, textOf, createThreadStore, scriptedAgent } = await load()
  const agent = scriptedAgent(['Rivers.'])
  const client = new CapClient({ baseUrl: 'https://app.example/agent', fetch: agent.fetch })
  const store = createThreadStore({ name: 'phone' })
  const conversationId = client.environment.uuid()
  const chat = store.open({ client: () => client, conversationId })
  await chat.sendMessage('Why?')
  expect(chat.getSnapshot().messages.map(textOf)).toEqual(['Why?', 'Rivers.'])
  await vi.waitFor(
    () => expect(store.getSnapshot().persistence).toEqual({ where: 'memory', reason: 'unavailable' }),
    20_000,
  )
  expect(store.getSnapshot().threads.map(({ id }) => id)).toEqual([conversationId])
  store.close()
})
