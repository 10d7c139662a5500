import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import { CopyAction } from '../src/components/message/message-actions.tsx'
import { answer, said, text } from './support/messages.ts'
import { PARAGRAPHS, QUESTION } from './support/rivers.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const [FIRST = ''] = PARAGRAPHS

const meta = {
  title: 'Parts/Copy action',
  component: CopyAction,
  decorators: [withChat],
  parameters: { chat: { messages: [said('u-1', QUESTION), answer('a-1', [text(FIRST)]), answer('a-2', [])] } },
  render: (args) => <Message messageId="a-1" messageActions={<CopyAction {...args} />} />,
} satisfies Meta<typeof CopyAction>

export default meta
type Story = StoryObj<typeof meta>

export const Shown: Story = {
  name: 'Of a message with text',
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Copy' }))
    await expect(chatIn(canvasElement).used).toEqual([])
  },
}

export const Elsewhere: Story = {
  name: 'Nothing where it does not apply',
  render: (args) => <Message messageId="a-2" messageActions={<CopyAction {...args} />} />,
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('button')).toBeNull()
  },
}
