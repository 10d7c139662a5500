import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import type { RenderPart } from '../src/components/message/render-part.ts'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { Message as MessageValue } from '../src/state/conversation/message.ts'
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

const one = (message: MessageValue): { readonly chat: Partial<ChatSnapshot> } => ({ chat: { messages: [message] } })

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
