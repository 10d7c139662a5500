import type { Decorator, Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, waitFor } from 'storybook/test'
import { MessageList } from '../src/components/message-list/message-list.tsx'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { FakeChat } from '../test/components/fake-chat.ts'
import { answer, said, text } from './support/messages.ts'
import { ANSWER, longThread, PARAGRAPHS, QUESTION } from './support/rivers.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

/** The list fills what is around it. */
const inChat: Decorator = (Story) => (
  <div className="cs-part cs-chat">
    <Story />
  </div>
)

const meta = {
  title: 'Parts/Message list',
  component: MessageList,
  decorators: [inChat, withChat],
  parameters: { frame: 'chat', chat: { messages: longThread(6) } satisfies Partial<ChatSnapshot> },
} satisfies Meta<typeof MessageList>

export default meta
type Story = StoryObj<typeof meta>

const [FIRST = '', SECOND = '', THIRD = ''] = PARAGRAPHS

const gap = ({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number => scrollHeight - clientHeight - scrollTop

/** What a chat publishes when the user sends. */
function send(chat: FakeChat, words: string): void {
  chat.set({
    status: 'submitted',
    messages: [
      ...chat.getSnapshot().messages,
      said('u-new', words, { requestId: 'new' }),
      answer('a-new', [], { status: 'pending', requestId: 'new' }),
    ],
  })
}

export const Thread: Story = {
  name: 'At the end',
  play: async ({ canvas }) => {
    const view = canvas.getByRole('region', { name: 'Messages' })
    await waitFor(() => expect(gap(view)).toBeLessThan(1))
    await expect(canvas.queryByRole('button', { name: /Jump/ })).toBeNull()
  },
}

export const Empty: Story = {
  name: 'Empty',
  parameters: { chat: { messages: [] } },
  args: { empty: <p className="cs-empty cs-dim">Ask about rivers.</p> },
}

export const ScrolledUp: Story = {
  name: 'Scrolled up: Jump to latest',
  play: async ({ canvas }) => {
    const view = canvas.getByRole('region', { name: 'Messages' })
    await waitFor(() => expect(gap(view)).toBeLessThan(1))
    view.scrollTop = 200
    await canvas.findByRole('button', { name: 'Jump to latest' })
  },
}

export const NewBelow: Story = {
  name: 'Scrolled up: new messages',
  play: async ({ canvas, canvasElement }) => {
    const view = canvas.getByRole('region', { name: 'Messages' })
    await waitFor(() => expect(gap(view)).toBeLessThan(1))
    view.scrollTop = 200
    await canvas.findByRole('button', { name: 'Jump to latest' })
    const chat = chatIn(canvasElement)
    chat.set({ messages: [...chat.getSnapshot().messages, answer('a-new', [text(FIRST)])] })
    await canvas.findByRole('button', { name: 'Jump to latest (new messages)' })
  },
}

export const Turn: Story = {
  name: 'New turn near the top',
  play: async ({ canvas, canvasElement }) => {
    const view = canvas.getByRole('region', { name: 'Messages' })
    const chat = chatIn(canvasElement)
    send(chat, QUESTION)
    const asked = await canvas.findByText(QUESTION)
    const top = (): number => asked.getBoundingClientRect().top - view.getBoundingClientRect().top
    await waitFor(() => expect(gap(view)).toBeLessThan(1))
    const before = top()
    await expect(before).toBeLessThan(view.clientHeight / 3)
    chat.change('a-new', { status: 'streaming', parts: [text('To the sea, by the longest way.')] })
    await canvas.findByText('To the sea, by the longest way.', { exact: false })
    await expect(top()).toBe(before)
  },
}

export const AnchoredAtEnd: Story = {
  name: 'New turn at the end',
  args: { anchor: 'end' },
  play: async ({ canvas, canvasElement }) => {
    send(chatIn(canvasElement), QUESTION)
    await canvas.findByText(QUESTION)
  },
}

export const Growing: Story = {
  name: 'Follows the end while streaming',
  parameters: {
    chat: {
      status: 'streaming',
      messages: [...longThread(2), said('u-new', QUESTION), answer('a-new', [text('')], { status: 'streaming' })],
    },
  },
  play: async ({ canvas, canvasElement }) => {
    const view = canvas.getByRole('region', { name: 'Messages' })
    const chat = chatIn(canvasElement)
    for (let length = 0; length <= ANSWER.length; length += 60) {
      chat.change('a-new', { parts: [text(ANSWER.slice(0, length))] })
      await new Promise(requestAnimationFrame)
    }
    await waitFor(() => expect(gap(view)).toBeLessThan(1))
  },
}

export const EarlierOnes: Story = {
  name: 'Loading earlier messages',
  args: {
    start: (
      <p className="cs-rule" role="status">
        Loading earlier messages
      </p>
    ),
    onReachStart: fn(),
  },
  play: async ({ canvas, args }) => {
    const view = canvas.getByRole('region', { name: 'Messages' })
    await waitFor(() => expect(gap(view)).toBeLessThan(1))
    view.scrollTop = 0
    await waitFor(() => expect(args.onReachStart).toHaveBeenCalled())
  },
}

export const LongThread: Story = {
  name: 'Virtualized: 1,000 questions',
  parameters: { chat: { messages: longThread(1000) } },
  play: async ({ canvas }) => {
    // The code for long threads is fetched first.
    await waitFor(() => expect(canvas.getAllByRole('article').at(-1)).toHaveAttribute('aria-posinset', '2000'), {
      timeout: 10_000,
    })
    await expect(canvas.getAllByRole('article').length).toBeLessThan(60)
  },
}

export const Narrow: Story = {
  name: '320 px',
  parameters: { frame: 'narrow-chat' },
}

export const OwnMessages: Story = {
  name: 'Custom messages',
  parameters: {
    chat: { messages: [said('u-1', QUESTION), answer('a-1', [text(SECOND)]), answer('a-2', [text(THIRD)])] },
  },
  args: {
    renderMessage: (messageId, position) => (
      <article {...position} aria-label={messageId}>
        Message {messageId}
      </article>
    ),
  },
}
