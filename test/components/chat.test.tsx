// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Chat, ChatDock } from '../../src/components/chat.tsx'
import { Composer } from '../../src/components/composer/composer.tsx'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatInstance as ChatValue } from '../../src/state/chat.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from './fake-chat.ts'
import './show.tsx'

const everything = (): ChatValue =>
  createFakeChat({
    status: 'streaming',
    connection: connectionAt({ phase: 'streaming' }),
    messages: [
      said('u', 'Why?', { createdAt: 1_772_352_902_000 }),
      answer(
        'a',
        [
          { type: 'thought', id: 't', text: 'Hm.', status: 'running' },
          { type: 'progress', id: 'p', label: 'Reading', status: 'running', fraction: 0.4 },
          { type: 'progress', id: 'q', label: 'Looking', status: 'running' },
          {
            type: 'media',
            id: 'm',
            items: [{ url: 'https://pictures.example/a.png', mimeType: 'image/png', alt: 'A' }],
          },
          { type: 'data', id: 'd', viewHint: 'TABLE', data: [{ a: 1 }] },
          text('Because.[1]'),
          {
            type: 'citations',
            id: 'c',
            citations: [{ sourceId: 's', uri: 'https://s.example', title: 'S', confidence: 0.84 }],
          },
        ],
        { status: 'streaming' },
      ),
    ],
  })

describe('a chat without further options', () => {
  it('asks, answers and ends, through an agent', async () => {
    const environment = createManualEnvironment()
    const peer = createScriptedPeer()
    // The scripted protocol takes strings, which is what createRequest gives.
    const client: AgentClient = {
      protocol: peer.protocol,
      retry: backoff(),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ text: words }) => words,
    }
    render(
      <StrictMode>
        <AgentProvider client={client}>
          <Chat />
        </AgentProvider>
      </StrictMode>,
    )
    expect(screen.getByRole('heading', { name: 'What can I help with?' })).toBeTruthy()
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Why do rivers bend?' } })
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
    await waitFor(() => expect(peer.connections).toHaveLength(1))
    expect(peer.connection.opening.request).toBe('Why do rivers bend?')
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()

    const move = async (step: () => void): Promise<void> => {
      await act(async () => {
        step()
        await environment.clock.advance(0)
        environment.paint()
      })
    }
    await move(() => peer.connection.say(1, 'No bank is '))
    await move(() => peer.connection.say(2, 'perfectly even.'))
    expect(screen.getByRole('article', { name: 'Assistant' }).textContent).toBe('No bank is perfectly even.')
    await move(() => peer.connection.close(3))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy())
    expect(screen.getByRole('article', { name: 'Assistant' }).dataset['status']).toBe('complete')
    expect(screen.getByText('Response complete').getAttribute('role')).toBe('status')
  })

  it('begins with a suggestion, and the focus moves to the box', () => {
    const chat = createFakeChat()
    render(
      <Chat chat={chat} emptyTitle="What should we look at?" suggestions={['one', 'two', 'three', 'four', 'five']} />,
    )
    expect(screen.getByRole('heading', { name: 'What should we look at?' })).toBeTruthy()
    const list = screen.getByRole('list', { name: 'Suggestions' })
    expect(within(list).getAllByRole('button')).toHaveLength(4)
    fireEvent.click(within(list).getByRole('button', { name: 'two' }))
    expect(chat.used).toEqual([['sendMessage', 'two']])
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })

  it('has a bar only when it is given a title, and the app’s own when it brings one', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'streaming' }) })
    const { rerender } = render(<Chat chat={chat} />)
    expect(screen.queryByRole('banner')).toBeNull()
    rerender(<Chat chat={chat} title="Rivers" />)
    expect(screen.getByRole('heading', { name: 'Rivers' }).parentElement?.textContent).toBe('RiversConnected')
    rerender(<Chat chat={chat} title="Rivers" header={<p>Mine</p>} />)
    expect(screen.queryByText('Rivers')).toBeNull()
    expect(screen.getByText('Mine')).toBeTruthy()
  })

  it('speaks the app’s language', () => {
    render(<Chat chat={createFakeChat()} strings={{ composer: { label: 'Nachricht', placeholder: 'Frag etwas…' } }} />)
    expect(screen.getByRole('textbox', { name: 'Nachricht' }).getAttribute('placeholder')).toBe('Frag etwas…')
    expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  })

  it('stops on Escape wherever the keyboard is in it, and once', () => {
    const chat = createFakeChat({
      status: 'streaming',
      messages: [said('u', 'Hi'), answer('a', [text('Ho')], { status: 'streaming' })],
    })
    render(<Chat chat={chat} />)
    fireEvent.keyDown(screen.getByRole('region', { name: 'Messages' }), { key: 'Escape' })
    expect(chat.used).toEqual([['stop']])
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
    expect(chat.used).toEqual([['stop'], ['stop']])
    act(() => chat.set({ status: 'ready' }))
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
    expect(chat.used).toHaveLength(2)
  })

  it('shows a label and sends the words behind it', () => {
    const chat = createFakeChat()
    render(
      <Chat
        chat={chat}
        suggestions={[
          { text: 'Explain in three paragraphs why rivers bend.', label: 'Why rivers bend', icon: <i>~</i> },
        ]}
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: /Why rivers bend/ }))
    expect(chat.used).toEqual([['sendMessage', 'Explain in three paragraphs why rivers bend.']])
  })

  it('is in the app’s own order, with one voice and the same keys', () => {
    const chat = createFakeChat({ status: 'streaming', messages: [said('u', 'Hi')] })
    render(
      <Chat chat={chat} title="Not shown">
        <ChatDock className="mine">
          <Composer />
        </ChatDock>
        <MessageList />
      </Chat>,
    )
    const section = screen.getByRole('region', { name: 'Chat' })
    expect([...section.children].map((part) => part.classList[1])).toEqual(['cs-dock', 'cs-list', 'cs-hidden'])
    expect(screen.queryByText('Not shown')).toBeNull()
    fireEvent.keyDown(screen.getByRole('region', { name: 'Messages' }), { key: 'Escape' })
    expect(chat.used).toEqual([['stop']])
  })

  it('shows the app’s own beginning, and passes on what is for the composer', () => {
    render(
      <Chat
        chat={createFakeChat()}
        empty={<p>Mine</p>}
        composerProps={{ submitOnEnter: false, start: <b>Model</b> }}
      />,
    )
    expect(screen.getByText('Mine')).toBeTruthy()
    expect(screen.queryByRole('heading')).toBeNull()
    expect(screen.getByText('Model')).toBeTruthy()
    // The key hint would say that Enter sends.
    expect(screen.queryByText(/new line/)).toBeNull()
  })

  it('passes on what is for the transcript', () => {
    render(
      <Chat
        chat={everything()}
        listProps={{ start: <p>Older ones come</p>, renderMessage: (id) => <article>{id}</article> }}
      />,
    )
    expect(screen.getByText('Older ones come')).toBeTruthy()
    expect(screen.getAllByRole('article').map(({ textContent }) => textContent)).toEqual(['u', 'a'])
  })

  it('keeps what was begun in each conversation, wherever the user goes meanwhile', () => {
    const environment = createManualEnvironment()
    const client: AgentClient = {
      protocol: createScriptedPeer().protocol,
      retry: backoff(),
      timeoutMs: 60_000,
      environment,
      createRequest: () => '',
    }
    const page = (conversationId?: string) => (
      <AgentProvider client={client}>
        {conversationId === undefined ? <p>Elsewhere</p> : <Chat conversationId={conversationId} />}
      </AgentProvider>
    )
    const { rerender } = render(page('rivers'))
    const box = (): HTMLTextAreaElement => screen.getByRole('textbox')
    fireEvent.change(box(), { target: { value: 'about rivers' } })
    rerender(page('lakes'))
    expect(box().value).toBe('')
    fireEvent.change(box(), { target: { value: 'about lakes' } })
    rerender(page())
    expect(screen.queryByRole('textbox')).toBeNull()
    rerender(page('rivers'))
    expect(box().value).toBe('about rivers')
    rerender(page('lakes'))
    expect(box().value).toBe('about lakes')
  })

  it('carries the app’s own attributes on its element', () => {
    render(<Chat chat={createFakeChat()} id="mine" className="tall" aria-label="Rivers" data-theme="dark" />)
    const section = screen.getByRole('region', { name: 'Rivers' })
    expect(section.id).toBe('mine')
    expect(section.className).toBe('cs-part cs-chat tall')
    expect(section.dataset['theme']).toBe('dark')
  })
})

describe('a chat on a server', () => {
  it('renders everything without a complaint, a style attribute or a request for a picture', () => {
    const html = renderToString(<Chat chat={everything()} title="Rivers" suggestions={['one']} />)
    expect(html).toContain('Because.')
    expect(html).not.toMatch(/\sstyle=/)
    expect(html).not.toMatch(/<(img|link|script|style)\b/)
  })

  it('renders the empty one too, through a provider', () => {
    const environment = createManualEnvironment()
    const client: AgentClient = {
      protocol: createScriptedPeer().protocol,
      retry: backoff(),
      timeoutMs: 60_000,
      environment,
      createRequest: () => '',
    }
    const html = renderToString(
      <AgentProvider client={client}>
        <Chat />
      </AgentProvider>,
    )
    expect(html).toContain('What can I help with?')
  })

  it('comes alive in the browser without a difference', async () => {
    const chat = everything()
    const page = document.createElement('div')
    page.innerHTML = renderToString(<Chat chat={chat} title="Rivers" />)
    document.body.append(page)
    const root = await act(async () => hydrateRoot(page, <Chat chat={chat} title="Rivers" />))
    expect(page.querySelector('time')?.textContent).not.toBe('')
    act(() => root.unmount())
    page.remove()
  })
})

describe('a chat that fails', () => {
  const gone = errorOf({ code: 'unauthorized', status: 401, agentCode: 'auth_failed' })

  it('alerts, offers the way back in, and can be quieted', () => {
    const chat = createFakeChat({
      status: 'error',
      error: gone,
      messages: [said('u', 'Hello', { status: 'not-sent', error: gone, requestId: 'r-17' })],
      connection: connectionAt({ phase: 'failed', error: gone }),
    })
    let signedIn = 0
    render(<Chat chat={chat} onSignIn={() => (signedIn += 1)} />)
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain('Please sign in')
    expect(alert.textContent).toContain('auth_failed · HTTP 401 · request r-17')
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(signedIn).toBe(1)
    fireEvent.click(within(alert).getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('Not sent')).toBeTruthy()
  })

  it('says a broken connection once: at the answer it broke', () => {
    const cut = errorOf({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' })
    const chat = createFakeChat({
      status: 'error',
      error: cut,
      messages: [said('u', 'Hello'), answer('a', [text('Half of')], { status: 'incomplete', error: cut })],
      connection: connectionAt({ phase: 'failed', attempt: 3, requests: 3, error: cut }),
    })
    render(<Chat chat={chat} />)
    expect(screen.getAllByText(/Couldn’t reach the assistant after 3 attempts/)).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy()
    expect(document.querySelector('.cs-banner')).toBeNull()
  })

  it('has one button for another try, not two', () => {
    const broken = errorOf({ code: 'http_error', status: 503 })
    const chat = createFakeChat({
      status: 'error',
      error: broken,
      messages: [said('u', 'Hello'), answer('a', [], { status: 'failed', error: broken })],
    })
    render(<Chat chat={chat} />)
    expect(screen.getByRole('alert').textContent).toContain('The server had a problem')
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1)
  })
})
