import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import type { TabLocks } from '../../src/storage/tabs/leader-election.ts'
import { createThreadStore } from '../../src/storage/thread-store.ts'
import { settle } from '../support/manual-clock.ts'

const CANARY = 'canary-7f3a9c'

/** Everything a value holds, Maps included, as text. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) =>
    held instanceof Map ? [...(held as Map<unknown, unknown>)] : held,
  )
}

async function everythingIn(name: string): Promise<string> {
  const database = await openDB(name)
  const stores = await Promise.all(
    [...database.objectStoreNames].map(async (store) => [
      await database.getAllKeys(store),
      await database.getAll(store),
    ]),
  )
  database.close()
  return textOf(stores)
}

describe('a key, a header and a token', () => {
  it('reach no database and no other tab, in an answer, a failure or a reload', async () => {
    const said: string[] = []
    const ears = new Set<(message: unknown) => void>()
    const openChannel = (): {
      post(message: unknown): void
      onMessage(listener: (message: unknown) => void): void
      close(): void
    } => {
      let own = (_message: unknown): void => {}
      return {
        post(message) {
          said.push(textOf(message))
          for (const listen of ears) if (listen !== own) queueMicrotask(() => listen(structuredClone(message)))
        },
        onMessage: (listener) => {
          own = listener
          ears.add(listener)
        },
        close: () => ears.delete(own),
      }
    }
    const held = new Set<string>()
    const locks: TabLocks = {
      request: async (name, _options, lead) => (held.has(name) ? new Promise(() => {}) : held.add(name) && lead()),
    }
    let isDown = false
    const handler = createAgentHandler({
      agent: async function* () {
        yield 'An answer'
      },
    })
    const seen: string[] = []
    const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(url, init)
      seen.push(`${JSON.stringify([...request.headers])} ${await request.clone().text()}`)
      // A careless server sends back what it got.
      if (isDown)
        return Response.json(
          { error: { code: 'unauthorized', message: 'No.', headers: Object.fromEntries(request.headers) } },
          { status: 403, headers: { 'x-echo': CANARY } },
        )
      return handler(request)
    }
    const client = new CapClient({
      baseUrl: 'https://agent.example/cap',
      apiKey: () => `${CANARY}-key`,
      headers: () => ({ 'x-session': `${CANARY}-session` }),
      context: () => ({ user: { user_id: `${CANARY}-user` }, metadata: { token: `${CANARY}-token` } }),
      fetch,
    })
    const open = (): {
      store: ReturnType<typeof createThreadStore>
      chat: ReturnType<ReturnType<typeof createThreadStore>['open']>
    } => {
      const store = createThreadStore({ name: 'secrets', user: 'u1', ports: { locks, openChannel } })
      return {
        store,
        chat: store.open({ conversationId: '00000000-0000-4000-8000-000000000001', client: () => client }),
      }
    }
    const first = open()
    await first.chat.resume()
    await first.chat.sendMessage('Why?')
    isDown = true
    await first.chat.sendMessage('And then?')
    const { messages } = first.chat.getSnapshot()
    expect(messages.map(({ status }) => status)).toEqual(['sent', 'complete', 'not-sent'])
    // The error of this page says more than what is kept of it.
    expect(textOf(messages[2]?.error?.details)).toContain(CANARY)

    // A second tab asks for everything, and a third comes later.
    const second = open()
    await second.chat.resume()
    for (let turn = 0; turn < 30; turn += 1) await settle()
    first.store.close()
    for (let turn = 0; turn < 30; turn += 1) await settle()

    const kept = await everythingIn('capstan secrets u1')
    expect(seen.join(' ')).toContain(`${CANARY}-key`)
    expect(seen.join(' ')).toContain(`${CANARY}-token`)
    expect(kept).toContain('An answer')
    expect(kept).toContain('not-sent')
    expect(said.join(' ')).toContain('And then?')
    expect(kept).not.toContain(CANARY)
    expect(said.join(' ')).not.toContain(CANARY)
    for (const word of [/authorization/i, /bearer/i, /x-session/i]) {
      expect(kept).not.toMatch(word)
      expect(said.join(' ')).not.toMatch(word)
    }
    await Promise.all([first.chat.dispose(), second.chat.dispose()])
  })

  it('have no other place to go: the space names neither localStorage nor cookies', async () => {
    const { readTree } = await import('../layers/files.ts')
    const sources = readTree('src/storage/')
      .map(({ text }) => text)
      .join('\n')
    expect(sources).toContain('openDB')
    expect(sources).not.toMatch(/localStorage|sessionStorage|\bcookie|\bcaches\b/)
  })
})
