import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  remoteThreads,
  type RemoteMessage,
  type RemoteThread,
  type RemoteThreads,
} from '../../src/storage/remote-threads.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

const THREAD: RemoteThread = { id: CONVERSATION, title: 'Bends', createdAt: 1, updatedAt: 2 }
const MESSAGES: readonly RemoteMessage[] = [
  {
    id: 'r1',
    role: 'user',
    parts: [{ type: 'text', id: 't', text: 'Why?' }],
    status: 'complete',
    requestId: 'r1',
    at: 1,
  },
  {
    id: 'r1-answer',
    role: 'assistant',
    parts: [
      { type: 'text', id: 't', text: 'They meander.' },
      { type: 'tool-call', id: 'p', name: 'search', input: {}, output: 1, status: 'complete' },
    ],
    status: 'stopped',
    requestId: 'r1',
    at: 2,
  },
]

interface Remote extends RemoteThreads {
  readonly asked: string[]
}

function remoteOf(messages: readonly RemoteMessage[] = MESSAGES, threads: readonly RemoteThread[] = [THREAD]): Remote {
  const asked: string[] = []
  const tell = (what: string): void => void asked.push(what)
  return {
    asked,
    list: async () => (tell('list'), threads),
    read: async (id) => (tell(`read ${id}`), messages),
    rename: async (id, title) => tell(`rename ${id} ${title}`),
    remove: async (id) => tell(`remove ${id}`),
  }
}

let browser: FakeBrowser
beforeEach(() => {
  browser = createFakeBrowser()
})

async function loaded(): Promise<void> {
  await rest()
  await rest()
}

async function open(remote: RemoteThreads | undefined): Promise<FakeTab> {
  const tab = browser.openTab({ remote: remote && remoteThreads(remote) })
  tab.store.subscribe(() => {})
  await loaded()
  return tab
}

const titles = (tab: FakeTab): string[] => tab.store.getSnapshot().threads.map(({ title }) => title)

describe('a store with a server that keeps conversations', () => {
  it('lists them, and fetches the messages of one when it is opened, once', async () => {
    const remote = remoteOf()
    const tab = await open(remote)
    expect(titles(tab)).toEqual(['Bends'])
    expect(remote.asked).toEqual(['list'])
    void tab.chat.resume()
    await loaded()
    expect(tab.chat.getSnapshot().messages).toMatchObject([
      { id: 'r1', role: 'user', status: 'sent', requestId: 'r1' },
      { id: 'r1-answer', role: 'assistant', status: 'stopped', parts: [{ text: 'They meander.' }, { name: 'search' }] },
    ])
    const again = await open(remote)
    void again.chat.resume()
    await loaded()
    expect(again.chat.getSnapshot().messages).toHaveLength(2)
    expect(remote.asked.filter((what) => what.startsWith('read'))).toEqual([`read ${CONVERSATION}`])
  })

  it('shows the last message of each id where a server repeats them, and reports no damage', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const damaged: unknown[] = []
    const [question, reply] = MESSAGES
    const later = MESSAGES.map((message, at) => ({
      ...message,
      parts: [{ type: 'text' as const, id: 't', text: `later ${at}` }],
    }))
    const remote = remoteOf([question, reply, ...later].flatMap((message) => message ?? []))
    const tab = browser.openTab({ remote: remoteThreads(remote), onDamaged: (record) => damaged.push(record) })
    tab.store.subscribe(() => {})
    await loaded()
    void tab.chat.resume()
    await loaded()
    expect(tab.chat.getSnapshot().messages).toMatchObject([
      { id: 'r1', parts: [{ text: 'later 0' }] },
      { id: 'r1-answer', parts: [{ text: 'later 1' }] },
    ])
    expect(damaged).toEqual([])
    expect(warned).toHaveBeenCalledTimes(1)
  })

  it('tells the agent which request the next one follows', async () => {
    const lineages: unknown[] = []
    browser = createFakeBrowser({
      client: {
        createRequest: ({ text, lineage }) => {
          lineages.push(lineage?.after)
          return text
        },
      },
    })
    const tab = await open(remoteOf())
    void tab.chat.resume()
    await loaded()
    void tab.chat.sendMessage('And?')
    await rest()
    expect(lineages).toEqual(['r1'])
  })

  it('leaves what this device has alone', async () => {
    const first = await open(undefined)
    void first.chat.sendMessage('Mine')
    await rest()
    await first.close()
    const remote = remoteOf()
    const tab = await open(remote)
    void tab.chat.resume()
    await loaded()
    expect(titles(tab)).toEqual(['Mine'])
    expect(tab.shown()[0]).toContain('Mine')
    expect(remote.asked).toEqual(['list'])
  })

  it('passes on what is renamed and deleted', async () => {
    const remote = remoteOf()
    const tab = await open(remote)
    tab.store.rename(CONVERSATION, ' Meanders ')
    await loaded()
    await tab.store.remove(CONVERSATION)
    await loaded()
    expect(remote.asked).toEqual(['list', `rename ${CONVERSATION} Meanders`, `remove ${CONVERSATION}`])
    expect(titles(tab)).toEqual([])
  })

  it('does not resume a chat that was left while its messages came', async () => {
    const tab = await open(remoteOf())
    void tab.chat.resume()
    await tab.chat.dispose()
    await loaded()
    expect(browser.disk.writes.some((changes) => (changes.get(CONVERSATION)?.state?.term ?? 0) > 0)).toBe(false)
  })

  it('works as before while the server fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing: RemoteThreads = {
      list: () => Promise.reject(new Error('down')),
      read: () => Promise.reject(new Error('down')),
    }
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const tab = await open(failing)
    void tab.chat.resume()
    await loaded()
    void tab.chat.sendMessage('Why?')
    await rest()
    expect(titles(tab)).toEqual(['Why?'])
    expect(reported).toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  it('shows nothing that is not a message', async () => {
    // What a broken server could send.
    const broken = [{ id: 'r1', role: 'robot', parts: 7 }] as unknown as readonly RemoteMessage[]
    const tab = await open(remoteOf(broken))
    void tab.chat.resume()
    await loaded()
    expect(tab.chat.getSnapshot().messages).toEqual([])
  })
})
