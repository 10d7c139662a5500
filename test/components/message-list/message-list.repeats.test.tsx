// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MockInstance } from 'vitest'
import { FeedbackAction } from '../../../src/components/feedback-action.tsx'
import { MessageList } from '../../../src/components/message-list/message-list.tsx'
import { ChatContext } from '../../../src/react/chat-context.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'
import { backoff } from '../../../src/base/backoff.ts'
import type { ChatInstance } from '../../../src/state/chat.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { createThreadStore } from '../../../src/storage/thread-store.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { createScriptedPeer } from '../../support/scripted-peer.ts'
import { createFakeDisk } from '../../storage/fake-tabs.ts'
import { answer, said, text } from '../fake-chat.ts'
import '../show.tsx'

let warned: MockInstance<typeof console.warn>

beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  vi.restoreAllMocks()
})

const client: AgentClient = {
  protocol: createScriptedPeer().protocol,
  retry: backoff({ baseMs: 0 }),
  timeoutMs: 60_000,
  environment: createManualEnvironment(),
  createRequest: ({ text: words }) => words,
}
const history = (tag: string): readonly ChatMessage[] => [
  said(`u-${tag}`, 'q one'),
  answer(`a-${tag}`, [text('answer one')]),
  said(`u-${tag}`, 'q two'),
  answer(`a-${tag}`, [text('answer two')]),
]

function show(chat: ChatInstance): void {
  render(
    <ChatContext.Provider value={chat}>
      <MessageList messageActions={<FeedbackAction onFeedback={() => {}} />} />
    </ChatContext.Provider>,
  )
}
const shown = (): readonly string[] =>
  screen.getAllByRole('article').map((article) => article.querySelector('.cs-text, p')?.textContent ?? '')

describe('MessageList with a history whose ids repeat', () => {
  it('shows each message of initialMessages with its own text, the last of each id, and development warns', () => {
    show(createChat({ client: () => client, conversationId: 'c-1', initialMessages: history('start') }))
    expect(shown()).toEqual(['q two', 'answer two'])
    expect(warned.mock.calls.flat().join()).toContain('have the id "u-start"')
  })

  it('does so in a chat that is kept', () => {
    const store = createThreadStore({
      name: 'repeats',
      ports: {
        openDisk: async (_name, events) => createFakeDisk().open(events),
        locks: undefined,
        openChannel: undefined,
      },
    })
    show(store.open({ client: () => client, conversationId: 'c-2', initialMessages: history('kept') }))
    expect(shown()).toEqual(['q two', 'answer two'])
    expect(warned.mock.calls.flat().join()).toContain('have the id "u-kept"')
    store.close()
  })

  it('adds the last of each id of a page that is prepended, and none that is there already', async () => {
    const chat = createChat({
      client: () => client,
      conversationId: 'c-3',
      initialMessages: [said('u-now', 'q now'), answer('a-now', [text('answer now')])],
    })
    show(chat)
    await act(async () => {
      chat.prepend([...history('page'), said('u-now', 'q older'), said('u-now', 'q older still')])
    })
    expect(shown()).toEqual(['q two', 'answer two', 'q now', 'answer now'])
    expect(warned.mock.calls.flat().join()).toContain('have the id "u-page"')
  })

  it('keeps the feedback of each answer to itself', () => {
    show(
      createChat({
        client: () => client,
        conversationId: 'c-4',
        initialMessages: [...history('rated'), ...history('other')],
      }),
    )
    const [good] = screen.getAllByRole('button', { name: /good/i })
    if (good === undefined) throw new Error('There is no button.')
    fireEvent.click(good)
    expect(screen.getAllByRole('button', { name: /good/i }).map((each) => each.getAttribute('aria-pressed'))).toEqual([
      'true',
      'false',
    ])
  })
})
