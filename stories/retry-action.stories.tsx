import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import { RetryAction } from '../src/components/message/message-actions.tsx'
import { answer, said, text } from './support/messages.ts'
import { PARAGRAPHS, QUESTION } from './support/rivers.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const [FIRST = ''] = PARAGRAPHS

const meta = {
  title: 'Parts/Retry action',
  component: RetryAction,
  decorators: [withChat],
  parameters: { chat: { messages: [said('u-1', QUESTION), answer('a-1', [text(FIRST)])] } },
  render: (args) => <Message messageId="a-1" messageActions={<RetryAction {...args} />} />,
} satisfies Meta<typeof RetryAction>

export default meta
type Story = StoryObj<typeof meta>

export const Shown: Story = {
  name: 'Of the last answer',
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Regenerate' }))
    await expect(chatIn(canvasElement).used).toEqual([['regenerate', 'a-1']])
  },
}

export const Elsewhere: Story = {
  name: 'Nothing where it does not apply',
  render: (args) => <Message messageId="u-1" messageActions={<RetryAction {...args} />} />,
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('button')).toBeNull()
  },
}
