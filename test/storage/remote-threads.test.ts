import { expect, it } from 'vitest'
import { CapClient, createChat } from '../../src/index.ts'
import { createAgentHandler } from '../../src/server.ts'
import { createThreadStore, remoteThreads } from '../../src/storage.ts'
import { createFakeDisk } from './fake-tabs.ts'
import { eventually } from '../support/eventually.ts'

it('shows on a new device what was said on another, and continues where that was', async () => {
  const handler = createAgentHandler({
    authorize: () => 'ann',
    agent: async function* (_request, run) {
      yield `${(await run.history()).map(({ text }) => text).join('|')}>${run.text}`
    },
  })
  const client = new CapClient({
    baseUrl: 'https://agent.test/cap',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const conversationId = crypto.randomUUID()
  const old = createChat({ client: () => client, conversationId })
  await old.sendMessage('one')

  const disk = createFakeDisk()
  const store = createThreadStore({
    name: 'device',
    remote: remoteThreads(async (path, init) => handler(new Request(`https://agent.test/cap${path}`, init))),
    ports: { openDisk: async (_name, events) => disk.open(events), locks: undefined, openChannel: undefined },
  })
  store.subscribe(() => {})
  await eventually(() => expect(store.getSnapshot().threads).toMatchObject([{ id: conversationId, title: 'one' }]))
  const chat = store.open({ client: () => client, conversationId, callbacks: () => ({}) })
  await chat.resume()
  await eventually(() => expect(chat.getSnapshot().messages).toHaveLength(2))
  await chat.sendMessage('two')
  await eventually(() =>
    expect(chat.getSnapshot().messages.at(-1)?.parts).toMatchObject([{ type: 'text', text: 'one|>one>two' }]),
  )
  store.rename(conversationId, 'Numbers')
  await (
    await store.remove(conversationId)
  )()
  await eventually(async () => {
    const listed = await handler(new Request('https://agent.test/cap/conversations'))
    expect(await listed.json()).toEqual({ conversations: [] })
  })
  await chat.dispose()
  store.close()
})
