// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Component, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentError } from '../../src/base/agent-error.ts'
import type { CapClientOptions } from '../../src/protocols/cap/client/cap-client.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { ThreadList } from '../../src/components/thread-list.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useCapChat } from '../../src/protocols/cap/hooks/use-cap-chat.ts'
import type { AgentProxyOptions } from '../../src/server/proxy/agent-proxy.ts'
import { createAgentProxy } from '../../src/server/proxy/agent-proxy.ts'
import type { ChatInstance as ChatValue } from '../../src/state/chat.ts'
import type { SendResult } from '../../src/state/chat-options.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

// From the root of the repository: a page of jsdom has no address on the disk.
const [, guide = ''] = readFileSync('docs/questions.md', 'utf8').split(
  '\n## What happens when I get something wrong?\n',
)

/** What the guide says of a mistake: code of ours is in backticks there, which nobody sees on a screen. */
function rowOf(mistake: string): { readonly developer: string; readonly user: string } {
  const rows = guide.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)
  const row = [...rows].find(([, name]) => name === mistake)
  if (row === undefined) throw new Error(`docs/questions.md has no row «${mistake}».`)
  const [, , developer = '', user = ''] = row
  return { developer: developer.replaceAll('`', ''), user: user.replaceAll('`', '') }
}

const CONVERSATION = '00000000-0000-4000-8000-00000000000c'
let environment: ManualEnvironment
let unhandled: unknown[]
const note = (reason: unknown): void => void unhandled.push(reason)

beforeEach(() => {
  environment = createManualEnvironment()
  unhandled = []
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  cleanup()
  vi.useRealTimers()
  await new Promise(setImmediate)
  process.off('unhandledRejection', note)
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  expect(unhandled).toEqual([])
})

interface Seen {
  error?: AgentError
  chat?: ChatValue
  /** How often the agent was asked. */
  requests: number
}

/** A page with a chat, as an app has one. */
function open(options: Omit<CapClientOptions, 'environment'>, conversationId = CONVERSATION): Seen {
  const seen: Seen = { requests: 0 }
  const { fetch } = options
  const counted: CapClientOptions['fetch'] =
    fetch &&
    ((url, init) => {
      seen.requests += 1
      return fetch(url, init)
    })
  const client = new CapClient({ ...options, fetch: counted, environment })
  function Page(): ReactNode {
    const { chat } = useCapChat({ conversationId, onError: (error) => (seen.error = error) })
    seen.chat = chat
    return <Chat chat={chat} title="Rivers" />
  }
  render(
    <AgentProvider client={client}>
      <Page />
    </AgentProvider>,
  )
  return seen
}

async function pass(ms = 0): Promise<void> {
  await act(async () => {
    // A fetch that fails takes turns of the loop that no manual clock knows of.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    await environment.clock.advance(ms)
    environment.paint()
    await settle()
  })
}

async function ask(seen: Seen): Promise<void> {
  await act(async () => {
    void seen.chat?.sendMessage('Why?')
    await settle()
  })
  await pass()
}

const told = ({ error }: Seen): string => `${error?.code}: ${error?.message}`
const banner = (): string => document.querySelector('.cs-banner-title')?.textContent ?? ''
const details = (): string => document.querySelector('.cs-banner .cs-error-details')?.textContent ?? ''
const words = (result: SendResult | undefined): string =>
  result?.status === 'refused' ? `refused, ${result.error.code}: ${result.error.message}` : String(result?.status)

/** What a framework shows in place of a page that threw. */
class Overlay extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}
  static getDerivedStateFromError(error: Error): { readonly message: string } {
    return { message: error.message }
  }
  override render(): ReactNode {
    return this.state.message === undefined ? this.props.children : <output>{this.state.message}</output>
  }
}
const overlay = (): string | null => document.querySelector('output')?.textContent ?? null

/** An answer that says nothing more until it is asked to. */
const silent: CapClientOptions['fetch'] = () => new Promise(() => {})
const html = async (): Promise<Response> =>
  new Response('<h1>Not here</h1>', { status: 404, headers: { 'content-type': 'text/html' } })

describe('a typical mistake', () => {
  it('a path as baseUrl where there is no page', async () => {
    const row = rowOf("`baseUrl: '/cap'` in a server component, a route handler or a script")
    const asked = vi.spyOn(globalThis, 'fetch')
    const seen = open({ baseUrl: '/cap' })
    await ask(seen)
    expect(asked).toHaveBeenCalledTimes(1)
    expect({ developer: told(seen), user: banner() }).toEqual(row)
  })

  it('a message with nothing in it', async () => {
    const row = rowOf("`sendMessage('')`")
    const seen = open({ baseUrl: 'https://agent.example', fetch: silent })
    const before = document.body.innerHTML
    const result = await seen.chat?.sendMessage('')
    await pass()
    expect({
      developer: words(result),
      user: document.body.innerHTML === before ? 'nothing changes' : 'something changed',
    }).toEqual(row)
    expect(seen.requests).toBe(0)
  })

  it('a message while an answer runs', async () => {
    const row = rowOf('`sendMessage` while an answer runs')
    const seen = open({ baseUrl: 'https://agent.example', fetch: silent })
    await ask(seen)
    const result = await seen.chat?.sendMessage('And?')
    await pass()
    const shown = seen.chat?.getSnapshot()
    expect({
      developer: words(result),
      user:
        shown?.status === 'submitted' && shown.messages.length === 2 && shown.error === undefined
          ? 'the first question goes on'
          : 'something else',
    }).toEqual(row)
    expect(seen.requests).toBe(1)
  })

  it('a wrong address', async () => {
    const row = rowOf('A wrong `baseUrl` or `path`')
    const seen = open({ baseUrl: 'https://user:secret@agent.example/wrong', fetch: html })
    await ask(seen)
    expect({ developer: `${told(seen)} details.url: ${String(seen.error?.details?.['url'])}`, user: banner() }).toEqual(
      row,
    )
    expect(details()).toContain('Address: https://agent.example/wrong')
    expect(document.body.innerHTML).not.toContain('secret')
  })

  it('an answer that is no CAP', async () => {
    const row = rowOf('An endpoint that streams something else than CAP')
    const seen = open({
      baseUrl: 'https://agent.example',
      fetch: async () => new Response('data: Hello\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    })
    await ask(seen)
    expect({ developer: `${told(seen)} details.raw: ${String(seen.error?.details?.['raw'])}`, user: banner() }).toEqual(
      row,
    )
    expect(details()).toContain('Packet: Hello')
    expect(details()).toContain('Address: https://agent.example/v1/assist')
  })

  it('an agent that does not run', async () => {
    const row = rowOf('The agent does not run, or CORS is missing')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    environment.chance = 0.5
    const seen = open({ baseUrl: 'http://localhost:9', fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
    await ask(seen)
    act(() => {
      vi.advanceTimersByTime(400)
    })
    const first = document.querySelector('.cs-countdown .cs-hidden')?.textContent
    expect(document.body.textContent).not.toContain('Reconnecting')
    for (let attempt = 2; attempt <= 4; attempt += 1) await pass(30_000)
    expect(seen.requests).toBe(4)
    expect({ developer: told(seen), user: `${first}, then: ${banner()}` }).toEqual(row)
    expect(details()).toContain('Address: http://localhost:9/v1/assist')
  })

  it('an id that is no UUID', async () => {
    const row = rowOf("`conversationId: 'thread-1'`")
    vi.spyOn(console, 'error').mockReturnValue()
    const client = new CapClient({ baseUrl: 'https://agent.example', fetch: silent, environment })
    render(
      <Overlay>
        <AgentProvider client={client}>
          <Chat conversationId="thread-1" />
        </AgentProvider>
      </Overlay>,
    )
    const developer = overlay()
    vi.stubEnv('NODE_ENV', 'production')
    const seen = open({ baseUrl: 'https://agent.example', fetch: silent }, 'thread-1')
    await ask(seen)
    expect(seen.error).toMatchObject({ code: 'invalid_request' })
    expect({ developer, user: banner() }).toEqual(row)
  })

  it('another id at every render', async () => {
    const row = rowOf('`useCapChat({ conversationId: crypto.randomUUID() })`')
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const client = new CapClient({ baseUrl: 'https://agent.example', fetch: silent, environment })
    const made: string[] = []
    function Page(): ReactNode {
      const [, renderAgain] = useState(0)
      const conversationId = environment.uuid()
      made.push(conversationId)
      const { messages, sendMessage } = useCapChat({ conversationId })
      return (
        <>
          <button onClick={() => void sendMessage('Why?')}>Ask</button>
          <button onClick={() => renderAgain((count) => count + 1)}>Again</button>
          <i>{messages.length}</i>
        </>
      )
    }
    const page = (
      <AgentProvider client={client}>
        <Page />
      </AgentProvider>
    )
    const view = render(page)
    fireEvent.click(screen.getByRole('button', { name: 'Again' }))
    await pass()
    const developer = made.reduce((text, id) => text.replace(id, '…'), warned.mock.calls.flat().join())
    view.unmount()

    vi.stubEnv('NODE_ENV', 'production')
    render(page)
    fireEvent.click(screen.getByRole('button', { name: 'Ask' }))
    await pass()
    const user =
      document.querySelector('i')?.textContent === '0'
        ? 'an empty chat: what was sent is gone from the page'
        : 'the chat'
    expect({ developer, user }).toEqual(row)
  })

  it('another client at every render', () => {
    const row = rowOf('`<AgentProvider client={new CapClient(…)}>` in a component that renders again')
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubEnv('NODE_ENV', 'development')
    const renders: string[] = []
    function Reader(): ReactNode {
      useCapChat({ conversationId: CONVERSATION })
      renders.push('again')
      return null
    }
    const reader = <Reader />
    function App(): ReactNode {
      const [, renderAgain] = useState(0)
      return (
        <AgentProvider client={new CapClient({ baseUrl: 'https://agent.example', fetch: silent, environment })}>
          <button onClick={() => renderAgain((count) => count + 1)}>Again</button>
          {reader}
        </AgentProvider>
      )
    }
    render(<App />)
    for (let changes = 1; changes <= 2; changes += 1) fireEvent.click(screen.getByRole('button', { name: 'Again' }))
    expect(warned).not.toHaveBeenCalled()
    const before = renders.length
    for (let changes = 1; changes <= 3; changes += 1) fireEvent.click(screen.getByRole('button', { name: 'Again' }))
    const user = renders.length > before ? 'a slower page' : 'the page'
    expect({ developer: warned.mock.calls.flat().join(), user }).toEqual(row)
  })

  it('does not warn of a client that an app replaces now and then', () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubEnv('NODE_ENV', 'development')
    const clients = Array.from({ length: 5 }, () => new CapClient({ baseUrl: 'https://agent.example', environment }))
    const view = render(<i />)
    for (const client of clients) {
      // Each serves two renders, as one that is made again after a sign-in does.
      view.rerender(<AgentProvider client={client} />)
      view.rerender(<AgentProvider client={client} />)
    }
    expect(warned).not.toHaveBeenCalled()
  })

  it('another store at every render', () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubEnv('NODE_ENV', 'development')
    const client = new CapClient({ baseUrl: 'https://agent.example', environment })
    const open = (): never => {
      throw new Error('No chat is opened here.')
    }
    const view = render(<i />)
    for (let renders = 0; renders < 5; renders += 1) view.rerender(<AgentProvider client={client} store={{ open }} />)
    expect(warned.mock.calls).toEqual([[expect.stringContaining('"store" is a new object at every render')]])
  })

  it('two copies of the package', async () => {
    const row = rowOf('Two copies of capstan in one bundle')
    vi.spyOn(console, 'error').mockReturnValue()
    vi.stubEnv('NODE_ENV', 'development')
    vi.resetModules()
    const copy = await import('../../src/react/agent-provider.tsx')
    const client = new CapClient({ baseUrl: 'https://agent.example', environment })
    function Page(): ReactNode {
      useCapChat()
      return null
    }
    const page = (
      <Overlay>
        <copy.AgentProvider client={client}>
          <Page />
        </copy.AgentProvider>
      </Overlay>
    )
    vi.stubEnv('NODE_ENV', 'production')
    const view = render(page)
    expect(overlay()).toBe(
      'There is no client. Wrap the app in <AgentProvider client={client}>, or pass `client` to the hook.',
    )
    view.unmount()
    vi.stubEnv('NODE_ENV', 'development')
    render(page)
    expect({ developer: overlay(), user: 'the error page of the framework' }).toEqual(row)
  })

  it('a proxy without authorize', () => {
    const row = rowOf('`createAgentProxy` without `authorize`')
    const options = { upstream: 'https://agent.example', headers: { authorization: 'Bearer secret' } }
    let developer = ''
    try {
      // What JavaScript lets an app leave out.
      createAgentProxy(options as unknown as AgentProxyOptions)
    } catch (error) {
      const { code, message } = error as AgentError // createAgentProxy throws AgentErrors only
      developer = `${code}: ${message}`
    }
    expect({ developer, user: 'nothing: the server does not start' }).toEqual(row)
  })

  it('no style sheet', () => {
    const row = rowOf('No style sheet')
    vi.useFakeTimers()
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubEnv('NODE_ENV', 'development')
    open({ baseUrl: 'https://agent.example', fetch: silent })
    expect(warned).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    const style = getComputedStyle(document.querySelector('.cs-chat')!)
    expect({
      developer: warned.mock.calls.flat().join(),
      user: style.getPropertyValue('--cs-ink') === '' ? 'a chat without a look' : 'the chat',
    }).toEqual(row)

    const thread = {
      id: CONVERSATION,
      title: 'Why?',
      named: false,
      status: 'idle',
      unread: false,
      createdAt: 1,
      updatedAt: 1,
    } as const
    render(<ThreadList threads={[thread]} onSelect={() => {}} />)
    open({ baseUrl: 'https://agent.example', fetch: silent })
    vi.advanceTimersByTime(1000)
    expect(warned.mock.calls.flat()).toEqual([row.developer])
  })

  it('a client made in a server component', () => {
    const row = rowOf('A client that a server component made, as a prop')
    const client = new CapClient({ baseUrl: 'https://agent.example' })
    expect(JSON.stringify({ client })).toBe('{"client":{"name":"CapClient"}}')
    vi.stubGlobal('location', undefined)
    let developer = ''
    try {
      // What React does with the props of a client component.
      JSON.stringify(['$', 'AgentProvider', null, { client }])
    } catch (error) {
      developer = (error as Error).message // CapClient throws errors only
    } finally {
      vi.unstubAllGlobals()
    }
    expect({ developer, user: 'the error page of the framework' }).toEqual(row)
  })
})

describe('the guide to mistakes', () => {
  it('has these thirteen and no other', () => {
    const [section = ''] = guide.split('\n## ')
    const rows = [...section.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, name]) => name)
    expect(rows.slice(1)).toHaveLength(13)
  })
})
