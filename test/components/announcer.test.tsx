// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Announcer } from '../../src/components/announcer.tsx'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { promptOf } from '../support/prompts.ts'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { FakeChat } from './fake-chat.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from './fake-chat.ts'
import type { Listener } from './live-regions.ts'
import { listenToLiveRegions } from './live-regions.ts'
import { ask, showScriptedChat } from './scripted-chat.tsx'
import { pass, show } from './show.tsx'

let listener: Listener
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  listener.stop()
})

/** The heard sentences so far; the page is listened to from its beginning. */
function listen(chat: FakeChat, parts: ReactNode = <Announcer />): readonly string[] {
  listener = listenToLiveRegions(show(chat, parts).container)
  return listener.heard
}
const heard = (): readonly string[] => listener.heard

/** Changes something and lets the listener hear it before the next change. */
function change(step: () => void): void {
  act(step)
  heard()
}
function wait(ms: number): void {
  pass(ms)
  heard()
}

const streaming = (): FakeChat =>
  createFakeChat({
    status: 'streaming',
    connection: connectionAt({ phase: 'streaming' }),
    messages: [said('u', 'Hi'), answer('a', [text('Half')], { status: 'streaming' })],
  })

/** What the SDK of a model vendor does without a key. */
async function throwsForKey(): Promise<never> {
  throw Object.assign(new Error('401 You didn’t provide an API key.'), { status: 401 })
}

describe('the voice of a chat', () => {
  it('tells where an answer begins and ends, and no word of it', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hi'), answer('old', [text('Earlier')])] })
    listen(chat)
    const messages = [...chat.getSnapshot().messages, said('u2', 'More'), answer('a', [], { status: 'pending' })]
    change(() => chat.set({ status: 'submitted', messages }))
    change(() => chat.set({ status: 'streaming' }))
    change(() => chat.change('a', { status: 'streaming', parts: [text('Secret')] }))
    change(() => chat.change('a', { status: 'complete' }))
    change(() => chat.set({ status: 'ready' }))
    expect(heard()).toEqual(['Generating a response', 'Response complete'])
  })

  it('tells that an answer is complete although the next message goes out in the same moment', () => {
    const first = [
      said('u', 'Hi', { requestId: 'r-1' }),
      answer('a', [text('Done')], { status: 'streaming', requestId: 'r-1' }),
    ]
    const chat = createFakeChat({ status: 'streaming', messages: first })
    listen(chat)
    change(() => {
      chat.change('a', { status: 'complete' })
      chat.set({ status: 'ready' })
      chat.set({
        status: 'submitted',
        messages: [
          ...chat.getSnapshot().messages,
          said('u2', 'And?', { requestId: 'r-2' }),
          answer('a2', [], { status: 'pending', requestId: 'r-2' }),
        ],
      })
    })
    change(() => chat.set({ status: 'streaming' }))
    expect(heard()).toEqual(['Response complete. Generating a response'])
  })

  it('tells that an answer begins in place of one whose question was changed, and of no ending', () => {
    const chat = createFakeChat({
      status: 'streaming',
      messages: [
        said('u', 'Hi', { requestId: 'r-1' }),
        answer('a', [text('Ha')], { status: 'streaming', requestId: 'r-1' }),
      ],
    })
    listen(chat)
    change(() =>
      chat.set({
        status: 'submitted',
        messages: [
          said('u2', 'Hello', { requestId: 'r-2' }),
          answer('a2', [], { status: 'pending', requestId: 'r-2' }),
        ],
      }),
    )
    expect(heard()).toEqual(['Generating a response'])
  })

  it.each([
    ['stopped', 'Response stopped'],
    ['incomplete', 'Response incomplete'],
    ['failed', 'The response was interrupted'],
  ] as const)('tells that an answer was %s', (status, words) => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ status: 'ready', messages: [answer('a', [text('Half')], { status })] }))
    expect(heard()).toEqual([words])
  })

  it.each([
    ['incomplete', 'truncated', [text('Half')], 'Response incomplete. Connection lost'],
    ['incomplete', 'http_error', [text('Half')], 'Response incomplete. The server had a problem'],
    ['incomplete', 'rate_limited', [text('Half')], 'Response incomplete. Too many requests'],
    ['incomplete', 'http_error', [], 'No response. The server had a problem'],
    ['failed', 'agent_error', [text('Half')], 'The response was interrupted. The assistant reported a problem'],
    ['failed', 'agent_error', [], 'No response. The assistant reported a problem'],
  ] as const)('announces why an answer is %s: %s with %j', (status, code, parts, words) => {
    const chat = streaming()
    listen(chat)
    const error = errorOf({ code, severity: 'TRANSIENT' })
    change(() => chat.set({ status: 'error', error, messages: [answer('a', parts, { status, error })] }))
    expect(heard()).toEqual([words])
  })

  it.each([
    [
      'the agent throws because its key is missing',
      () => createAgentHandler({ agent: throwsForKey, onError: () => {} }),
      'No response',
    ],
    [
      'the server refuses the request with 401',
      () =>
        createAgentHandler({
          agent: throwsForKey,
          onError: () => {},
          authorize: () => new Response(null, { status: 401 }),
        }),
      'Your message wasn’t sent',
    ],
  ] as const)('announces no interruption if %s', async (_case, handler, words) => {
    vi.useRealTimers()
    const respond = handler()
    const fetch: Fetch = async (url, init) => respond(new Request(url, init))
    const client = new CapClient({ baseUrl: 'https://agent.test', fetch })
    const { container } = render(
      <AgentProvider client={client}>
        <Chat />
      </AgentProvider>,
    )
    listener = listenToLiveRegions(container)
    ask('Why?')
    await waitFor(() => expect(screen.getByRole('alert')).toBeDefined())
    await waitFor(() => expect(heard()).toContain(words))
    expect(heard().join(' ')).not.toContain('interrupted')
  })

  it.each([
    ['approval', 'Your approval is needed'],
    ['permission', 'Your approval is needed'],
    ['choice', 'The assistant has a question'],
    ['form', 'The assistant has a question'],
    ['sign-in', 'The assistant has a question'],
    ['other', 'The assistant has a question'],
  ] as const)('announces a prompt of kind %s as "%s"', (kind, words) => {
    const chat = streaming()
    listen(chat)
    const prompt = { id: 'p1', type: 'prompt', prompt: promptOf({ kind }) } as const
    change(() =>
      chat.set({
        status: 'awaiting-input',
        messages: [answer('a', [prompt], { status: 'streaming', requestId: 'r' })],
      }),
    )
    expect(heard()).toEqual([words])
  })

  it.each([
    ['cancelled', 'Response stopped'],
    ['left', 'Response stopped here. The assistant may still be working.'],
  ] as const)('reports a stop once, when it is known that it is %s', (stop, words) => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ status: 'ready', messages: [answer('a', [], { status: 'stopped', stop: 'cancelling' })] }))
    expect(heard()).toEqual([])
    change(() => chat.set({ messages: [answer('a', [], { status: 'stopped', stop })] }))
    expect(heard()).toEqual([words])
  })

  it('reports the next answer when it begins before it is known what became of a stop', () => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ status: 'ready', messages: [answer('a', [], { status: 'stopped', stop: 'cancelling' })] }))
    change(() =>
      chat.set({
        status: 'submitted',
        messages: [answer('a', [], { status: 'stopped', stop: 'cancelling' }), said('u', 'Hi', { requestId: 'r-2' })],
      }),
    )
    expect(heard()).toEqual(['Generating a response'])
  })

  it('tells that a message did not go out, and nothing when it is discarded', () => {
    const chat = createFakeChat({
      status: 'submitted',
      messages: [answer('old', [text('Earlier')]), said('u', 'Hi', { status: 'sending' })],
    })
    listen(chat)
    change(() => {
      chat.set({ status: 'error', error: errorOf() })
      chat.change('u', { status: 'not-sent' })
    })
    expect(heard()).toEqual(['Your message wasn’t sent'])
    change(() => void chat.discard('u'))
    expect(heard()).toHaveLength(1)
  })

  it.each([
    ['delivery_unknown', 'Your message may have arrived'],
    ['network_error', 'Your message wasn’t sent'],
  ] as const)('reports a message that failed with %s: %s', (code, words) => {
    const chat = createFakeChat({ status: 'submitted', messages: [said('u', 'Hi', { status: 'sending' })] })
    listen(chat)
    const error = errorOf({ kind: 'connection', code })
    change(() => chat.set({ status: 'error', error, messages: [said('u', 'Hi', { status: 'not-sent', error })] }))
    expect(heard()).toEqual([words])
  })

  it('tells that an answer began again, not that the connection is back as well', () => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) }))
    wait(400)
    change(() =>
      chat.set({
        connection: connectionAt({ phase: 'streaming' }),
        messages: [said('u', 'Hi'), answer('a', [text('Ha')], { status: 'streaming', restarted: true })],
      }),
    )
    wait(10_000)
    expect(heard()).toEqual(['Connection lost, reconnecting', 'The response started over'])
  })

  it('says nothing of what was there before it came, and nothing of another conversation', () => {
    const first = streaming()
    const second = createFakeChat({ status: 'ready', messages: [answer('b', [text('One')])] })
    const page = (chat: FakeChat): ReactElement => (
      <ChatContext.Provider value={chat}>
        <Announcer />
      </ChatContext.Provider>
    )
    const { container, rerender } = render(page(first))
    listener = listenToLiveRegions(container)
    rerender(page(second))
    expect(heard()).toEqual([])
  })

  it('is on the page before there is anything to say', () => {
    listen(createFakeChat())
    const regions = screen.getAllByRole('status')
    expect(regions.map((region) => region.textContent)).toEqual(['', ''])
    expect(regions.every((region) => region.closest('.cs-hidden') !== null)).toBe(true)
  })
})

describe('the same sentence twice', () => {
  it('is heard twice: two regions take turns, so each is given its text again', () => {
    const chat = streaming()
    listen(chat)
    const end = (): void => change(() => chat.set({ status: 'ready', messages: [answer('a', [text('Done')])] }))
    const again = (): void =>
      change(() => chat.set({ status: 'streaming', messages: [answer('a', [], { status: 'streaming' })] }))
    end()
    again()
    end()
    expect(heard()).toEqual(['Response complete', 'Generating a response', 'Response complete'])
  })

  it('even with nothing said in between', () => {
    const chat = createFakeChat({ status: 'ready', connection: connectionAt({ phase: 'waiting' }) })
    listen(chat)
    wait(400)
    // Ends without a word, as nothing was being written.
    change(() => chat.set({ connection: connectionAt() }))
    wait(5000)
    change(() => chat.set({ connection: connectionAt({ phase: 'waiting' }) }))
    wait(5000)
    expect(heard()).toEqual(['Connection lost, reconnecting', 'Connection lost, reconnecting'])
    expect(screen.getAllByRole('status').filter((region) => region.textContent !== '')).toHaveLength(1)
  })
})

describe('a first connection that does not come about', () => {
  it('is announced as such, and so is its end', () => {
    const chat = createFakeChat({
      status: 'submitted',
      connection: connectionAt({ phase: 'connecting', hasOpened: false }),
      messages: [said('u', 'Hi'), answer('a', [], { status: 'pending' })],
    })
    listen(chat)
    change(() =>
      chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1, hasOpened: false, nextRetryAt: 5000 }) }),
    )
    wait(9000)
    change(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    wait(9000)
    expect(heard()).toEqual(['No connection to the assistant yet, trying again', 'Connected, waiting for a response'])
  })
})

describe('a connection in trouble', () => {
  it('is announced once, however often it counts down, and again when it is back', () => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: 5000 }) }))
    expect(heard()).toEqual([])
    wait(3000)
    change(() => chat.set({ connection: connectionAt({ phase: 'connecting', attempt: 2 }) }))
    change(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 2, nextRetryAt: 9000 }) }))
    wait(9000)
    change(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    wait(9000)
    expect(heard()).toEqual(['Connection lost, reconnecting', 'Reconnected. The response continues.'])
  })

  it('is not announced when it has ended within a blink', () => {
    const chat = streaming()
    listen(chat)
    for (let times = 0; times < 20; times += 1) {
      change(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) }))
      wait(399)
      change(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
      wait(399)
    }
    expect(heard()).toEqual([])
  })

  it.each([
    ['offline', 'You’re offline'],
    ['queued', 'Waiting for an available connection'],
    ['paused', 'Paused'],
  ] as const)('%s is told', (phase, words) => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ connection: connectionAt({ phase }) }))
    wait(400)
    expect(heard()).toEqual([words])
  })

  it('that waited its turn was never lost, so it does not come back', () => {
    const chat = streaming()
    listen(chat)
    change(() => chat.set({ connection: connectionAt({ phase: 'queued' }) }))
    wait(400)
    change(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    wait(10_000)
    expect(heard()).toEqual(['Waiting for an available connection'])
  })

  it('that comes and goes all the time is announced once in five seconds', () => {
    const chat = streaming()
    listen(chat)
    for (let at = 0; at < 30_000; at += 1500) {
      change(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) }))
      wait(800)
      change(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
      wait(700)
    }
    const { length } = heard()
    expect(length).toBeGreaterThan(2)
    expect(length).toBeLessThanOrEqual(1 + 30_000 / 5000)
  })
})

// Two thousand steps: a busy machine takes longer than usual, and that says nothing.
describe('a whole chat that streams 2,000 tokens in 30 seconds', { timeout: 180_000 }, () => {
  const TOKENS = 2000
  const EVERY_MS = 15

  it('speaks twice, and never a token', async () => {
    const { container, peer, move } = showScriptedChat()
    listener = listenToLiveRegions(container)
    let frames = 0
    // Thirty frames a second: what came in between is shown together.
    const step = (act: () => void): Promise<void> => move(act, EVERY_MS, (frames += 1) % 2 === 0)
    await step(() => ask('Why do rivers bend?'))
    for (let token = 1; token <= TOKENS; token += 1) await step(() => peer.connection.say(token, `token${token} `))
    await step(() => peer.connection.close(TOKENS + 1))

    expect(screen.getByRole('article', { name: 'Assistant' }).textContent).toContain(`token${TOKENS}`)
    expect(heard()).toEqual(['Generating a response', 'Response complete'])
  })

  it('and with a connection that breaks and heals, still never a token', async () => {
    const { container, environment, peer, move } = showScriptedChat()
    listener = listenToLiveRegions(container)
    await move(() => ask('Why do rivers bend?'), EVERY_MS)
    environment.chance = 0.999
    let elapsed = 0
    for (let token = 1; token <= 300; token += 1) {
      await move(() => peer.connection.say(token, `token${token} `), EVERY_MS)
      elapsed += EVERY_MS
      if (token % 50 !== 0) continue
      const { length } = peer.connections
      await move(() => peer.connection.end(), EVERY_MS)
      // Seen as lost first, then resumed.
      for (; peer.connections.length === length; elapsed += 100) await move(() => {}, 100)
    }
    await move(() => peer.connection.close(301), EVERY_MS)

    expect(heard().join(' ')).not.toContain('token')
    expect(heard()[0]).toBe('Generating a response')
    expect(heard()).toContain('Connection lost, reconnecting')
    expect(heard().at(-1)).toBe('Response complete')
    expect(heard().length).toBeLessThanOrEqual(2 + Math.ceil(elapsed / 5000))
  })
})
