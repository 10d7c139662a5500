// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../../../src/seam/drain.ts'
import { AgentProvider } from '../../../../src/react/agent-provider.tsx'
import type { CapChat, CapChatOptions } from '../../../../src/protocols/cap/hooks/use-cap-chat.ts'
import { useCapChat } from '../../../../src/protocols/cap/hooks/use-cap-chat.ts'
import { useChatSelector } from '../../../../src/react/chat-context.ts'
import type { AgentClient } from '../../../../src/session/agent-client.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { textOf } from '../../../../src/state/turn.ts'
import { settle } from '../../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import type { ScriptedPeer } from '../../../support/scripted-peer.ts'
import { createScriptedPeer } from '../../../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
let client: AgentClient

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
  client = clientOf(peer)
})

afterEach(async () => {
  cleanup()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  expect(environment.clock.pending).toBe(0)
  expect(peer.connections.every(({ aborted }) => aborted)).toBe(true)
})

function clientOf(scripted: ScriptedPeer): AgentClient {
  // The scripted protocol takes strings, which is what createRequest gives.
  return {
    protocol: scripted.protocol,
    retry: backoff(),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
}

/** Renders a component that shows what the hook gave, and keeps the newest value. */
function mount(read: (chat: CapChat) => unknown, options: CapChatOptions = {}) {
  const seen: { chat?: CapChat; renders: number } = { renders: 0 }
  function Probe(props: CapChatOptions): ReactNode {
    const chat = useCapChat(props)
    seen.chat = chat
    seen.renders += 1
    return <p>{String(read(chat))}</p>
  }
  const tree = (next: CapChatOptions, over: AgentClient = client): ReactNode => (
    <StrictMode>
      <AgentProvider client={over}>
        <Probe {...next} />
      </AgentProvider>
    </StrictMode>
  )
  const view = render(tree(options))
  return {
    seen,
    text: () => view.container.textContent,
    update: (next: CapChatOptions, over?: AgentClient) => view.rerender(tree(next, over)),
    unmount: view.unmount,
    chat: (): CapChat => {
      if (seen.chat === undefined) throw new Error('not rendered')
      return seen.chat
    },
  }
}

/** Lets the peer's words through, then paints. */
async function paint(): Promise<void> {
  await act(async () => {
    await settle()
    environment.paint()
  })
}

async function send(probe: { chat(): CapChat }, text: string): Promise<void> {
  await act(async () => {
    void probe.chat().sendMessage(text)
    await settle()
  })
}

const lastText = (chat: CapChat): string => {
  const last = chat.messages.at(-1)
  return last === undefined ? '' : textOf(last)
}

describe('useCapChat in StrictMode', () => {
  it('opens one stream per message and shows the answer', async () => {
    const probe = mount(lastText)
    await send(probe, 'Why?')
    peer.connection.say(1, 'Because ')
    await paint()
    expect(probe.text()).toBe('Because ')
    peer.connection.say(2, 'so.')
    peer.connection.close(3)
    await paint()
    expect(probe.text()).toBe('Because so.')
    expect(peer.connections).toHaveLength(1)
  })

  it('renders again only for what it reads', async () => {
    const probe = mount((chat) => chat.status)
    await send(probe, 'Why?')
    peer.connection.say(1, '.')
    await paint()
    expect(probe.text()).toBe('streaming')
    const before = probe.seen.renders
    for (let seq = 2; seq < 100; seq += 1) {
      peer.connection.say(seq, '.')
      await paint()
    }
    expect(probe.seen.renders).toBe(before)
    peer.connection.close(100)
    await paint()
    expect(probe.text()).toBe('ready')
  })

  it('renders at most once a frame', async () => {
    const probe = mount(lastText)
    await send(probe, 'Why?')
    peer.connection.say(1, '.')
    await paint()
    const before = probe.seen.renders
    for (let seq = 2; seq <= 500; seq += 1) peer.connection.say(seq, '.')
    await paint()
    // StrictMode renders each commit twice.
    expect(probe.seen.renders).toBe(before + 2)
    expect(probe.text()).toHaveLength(500)
  })

  it('is never behind in a component that sets state while it renders', async () => {
    function Probe(): ReactNode {
      const { status, sendMessage } = useCapChat()
      const [last, setLast] = useState(status)
      if (last !== status) setLast(status)
      return (
        <button type="button" onClick={() => void sendMessage('Why?')}>
          {status}
        </button>
      )
    }
    const view = render(
      <AgentProvider client={client}>
        <Probe />
      </AgentProvider>,
    )
    for (let run = 0; run < 2; run += 1) {
      await act(async () => {
        view.getByRole('button').click()
        await settle()
      })
      expect(view.container.textContent).toBe('submitted')
      peer.connection.close(1)
      await paint()
      expect(view.container.textContent).toBe('ready')
    }
  })

  it('gives actions that never change', async () => {
    const probe = mount((chat) => chat.status)
    const { sendMessage, stop, regenerate } = probe.chat()
    await send(probe, 'Why?')
    peer.connection.close(1)
    await paint()
    expect(probe.chat()).toMatchObject({ sendMessage, stop, regenerate })
  })

  it('reads options and client when they are used, not when it was mounted', async () => {
    const heard: string[] = []
    const probe = mount(lastText, { onFinish: () => heard.push('old') })
    const other = createScriptedPeer()
    probe.update({ onFinish: (message) => heard.push(textOf(message)) }, clientOf(other))
    await send(probe, 'Why?')
    expect(peer.connections).toHaveLength(0)
    other.connection.say(1, 'New.')
    other.connection.close(2)
    await paint()
    expect(heard).toEqual(['New.'])
  })

  it('leaves the connection when the last component goes and takes it up when one comes back', async () => {
    const conversationId = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
    function Probe(): ReactNode {
      const { messages, sendMessage } = useCapChat({ conversationId })
      return (
        <button onClick={() => void sendMessage('Why?')}>{messages.map((message) => textOf(message)).join('|')}</button>
      )
    }
    const tree = (shown: boolean): ReactNode => (
      <AgentProvider client={client}>{shown ? <Probe /> : null}</AgentProvider>
    )
    const view = render(tree(true))
    await act(async () => {
      view.getByRole('button').click()
      await settle()
    })
    peer.connection.say(1, 'Half')
    await paint()
    view.rerender(tree(false))
    await act(() => environment.clock.advance(0))
    expect(peer.connection.aborted).toBe(true)
    expect(peer.connections).toHaveLength(1)
    view.rerender(tree(true))
    await paint()
    expect(peer.connections).toHaveLength(2)
    expect(peer.connection.opening.cursors).toEqual([{ streamId: 's1', seq: 1 }])
    peer.connection.say(2, ' whole')
    peer.connection.close(3)
    await paint()
    expect(view.container.textContent).toBe('Why?|Half whole')
  })

  it('shares one chat and one stream between components of one conversation', async () => {
    const conversationId = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
    function Probe(): ReactNode {
      const { messages, sendMessage } = useCapChat({ conversationId })
      return <button onClick={() => void sendMessage('Why?')}>{messages.length}</button>
    }
    const view = render(
      <AgentProvider client={client}>
        <Probe />
        <Probe />
      </AgentProvider>,
    )
    await act(async () => {
      view.getAllByRole('button')[0]?.click()
      await settle()
    })
    expect(view.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['2', '2'])
    expect(peer.connections).toHaveLength(1)
  })

  it('shows another chat for another conversation', async () => {
    const probe = mount((chat) => chat.messages.length, { conversationId: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b91' })
    await send(probe, 'Why?')
    expect(probe.text()).toBe('2')
    probe.update({ conversationId: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b92' })
    expect(probe.text()).toBe('0')
    await act(() => environment.clock.advance(0))
    probe.update({ conversationId: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b91' })
    expect(probe.text()).toBe('2')
  })

  it('begins with the messages it is given, on the server too', () => {
    const initialMessages = [
      { id: 'm1', role: 'assistant', parts: [{ type: 'text', id: 'text-1', text: 'Hello' }], status: 'complete' },
    ] as const
    expect(mount(lastText, { initialMessages }).text()).toBe('Hello')
    function Probe(): ReactNode {
      return <p>{lastText(useCapChat({ initialMessages }))}</p>
    }
    expect(
      renderToString(
        <AgentProvider client={client}>
          <Probe />
        </AgentProvider>,
      ),
    ).toBe('<p>Hello</p>')
  })

  it('says what is missing when there is no client', () => {
    function Probe(): ReactNode {
      useCapChat()
      return null
    }
    expect(() => renderToString(<Probe />)).toThrow(/AgentProvider/)
  })
})

describe('useChatSelector', () => {
  it('renders the component of one message only when that message changes', async () => {
    const renders = new Map<string, number>()
    function Row({ id, chat }: { readonly id: string; readonly chat: CapChat['chat'] }): ReactNode {
      const message = useChatSelector(({ messages }) => messages.find((candidate) => candidate.id === id), { chat })
      renders.set(id, (renders.get(id) ?? 0) + 1)
      return <p>{message === undefined ? '' : textOf(message)}</p>
    }
    function List(): ReactNode {
      const { chat } = useCapChat()
      const ids = useChatSelector(({ messages }) => messages.map(({ id }) => id), {
        chat,
        isEqual: (left, right) => left.join(' ') === right.join(' '),
      })
      return (
        <>
          <button onClick={() => void chat.sendMessage('Why?')}>send</button>
          {ids.map((id) => (
            <Row key={id} id={id} chat={chat} />
          ))}
        </>
      )
    }
    const view = render(
      <AgentProvider client={client}>
        <List />
      </AgentProvider>,
    )
    await act(async () => {
      view.getByRole('button').click()
      await settle()
    })
    peer.connection.say(1, '.')
    await paint()
    const [question = '', answer = ''] = [...renders.keys()]
    const before = { question: renders.get(question), answer: renders.get(answer) ?? 0 }
    for (let seq = 2; seq <= 51; seq += 1) {
      peer.connection.say(seq, '.')
      await paint()
    }
    expect(renders.get(question)).toBe(before.question)
    expect(renders.get(answer)).toBe(before.answer + 50)
  })
})
