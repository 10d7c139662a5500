import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import type { RenderPart } from '../src/components/message/message-context.ts'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { ChatMessage } from '../src/state/turn.ts'
import { answer, part, said, text } from './support/messages.ts'
import { ANSWER, PARAGRAPHS, QUESTION } from './support/rivers.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Message',
  component: Message,
  decorators: [withChat],
  args: { messageId: 'm' },
} satisfies Meta<typeof Message>

export default meta
type Story = StoryObj<typeof meta>

const one = (message: ChatMessage): { readonly chat: Partial<ChatSnapshot> } => ({ chat: { messages: [message] } })

const [FIRST = ''] = PARAGRAPHS

export const FromThePerson: Story = {
  name: 'From the user',
  parameters: one(said('m', QUESTION)),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('article', { name: 'You' })).toHaveAttribute('data-status', 'sent')
  },
}

export const FromTheAssistant: Story = {
  name: 'From the assistant',
  parameters: one(answer('m', [text(ANSWER)])),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('article', { name: 'Assistant' })).not.toHaveAttribute('aria-busy')
  },
}

export const FromTheSystem: Story = {
  name: 'From the system',
  parameters: one({ id: 'm', role: 'system', status: 'complete', parts: [text('A new day')] }),
}

export const Waiting: Story = {
  name: 'Waiting for the first token',
  parameters: one(answer('m', [], { status: 'pending' })),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('article')).toHaveAttribute('aria-busy', 'true')
  },
}

const steered = (status: 'sending' | 'sent' | 'not-sent'): { readonly chat: Partial<ChatSnapshot> } =>
  one(
    answer(
      'm',
      [text(FIRST, 't1'), part('s1', { type: 'said', text: 'Only the rivers of the north, please.', status })],
      { status: 'streaming' },
    ),
  )

export const SaidIntoIt: Story = {
  name: 'The user adds something while it streams: sending, then received',
  parameters: steered('sending'),
  play: async ({ canvas, canvasElement }) => {
    const state = canvas.getByText('Sending')
    const sent = part('s1', { type: 'said', text: 'Only the rivers of the north, please.', status: 'sent' })
    chatIn(canvasElement).change('m', {
      parts: [text(FIRST, 't1'), sent, text('In the north they bend less.', 't2')],
    })
    await waitFor(() => expect(state).toHaveTextContent('Received'))
  },
}

export const SaidUnconfirmed: Story = {
  name: 'The user adds something: not confirmed, 320 px',
  parameters: { ...steered('not-sent'), frame: 'narrow' },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Not confirmed. The assistant may not have received this.')).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Edit' })).toBeVisible()
  },
}

export const Growing: Story = {
  name: 'Streaming: aria-busy',
  parameters: one(answer('m', [text(FIRST.slice(0, 40))], { status: 'streaming' })),
  play: async ({ canvas, canvasElement }) => {
    const article = canvas.getByRole('article')
    await expect(article).toHaveAttribute('aria-busy', 'true')
    chatIn(canvasElement).change('m', { parts: [text(FIRST)], status: 'complete' })
    await expect(await canvas.findByText(FIRST, { exact: false })).toBeVisible()
    await expect(article).not.toHaveAttribute('aria-busy')
  },
}

const renderPart: RenderPart = (shown) =>
  shown.type === 'artifact' ? <p>My own card for {shown.artifactId}</p> : undefined

export const OwnPart: Story = {
  name: 'Custom part',
  args: { renderPart },
  parameters: one(
    answer('m', [
      text(FIRST),
      part('rivers', {
        type: 'artifact',
        artifactId: 'rivers',
        url: 'https://example.org/rivers.csv',
        mimeType: 'text/csv',
        artifactType: 'table',
      }),
    ]),
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('My own card for rivers')).toBeVisible()
  },
}

export const OwnRoot: Story = {
  name: 'Custom root element with a heading',
  args: {
    render: ({ children, ...props }, { message }) => (
      <article {...props}>
        <h3>{message.role}</h3>
        {children}
      </article>
    ),
  },
  parameters: one(answer('m', [text(FIRST)])),
}
