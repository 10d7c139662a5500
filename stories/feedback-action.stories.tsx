import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { arabic } from '../src/strings/arabic.ts'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { Message } from '../src/components/message/message.tsx'
import { CopyAction, RetryAction } from '../src/components/message/message-actions.tsx'
import { FeedbackAction } from '../src/components/feedback-action.tsx'
import { ARABIC_ANSWER } from './support/arabic.ts'
import { answer, text } from './support/messages.ts'
import { PARAGRAPHS } from './support/rivers.ts'
import { withChat } from './support/still-chat.tsx'

const [FIRST = ''] = PARAGRAPHS
const MESSAGE = answer('a-1', [text(FIRST)], { endedAt: Date.UTC(2026, 2, 1, 14, 5) })

const meta = {
  title: 'Parts/Feedback action',
  component: FeedbackAction,
  decorators: [withChat],
  parameters: { chat: { messages: [MESSAGE] } },
  args: { onFeedback: fn() },
  render: (args) => <Message messageId="a-1" messageActions={<FeedbackAction {...args} />} />,
} satisfies Meta<typeof FeedbackAction>

export default meta
type Story = StoryObj<typeof meta>

export const NotRated: Story = { name: 'Not rated' }

export const Up: Story = { name: 'Thumbs up', args: { ratingOf: () => 'up' } }

export const Down: Story = { name: 'Thumbs down', args: { ratingOf: () => 'down' } }

export const Pressed: Story = {
  name: 'Rated, changed and taken back',
  play: async ({ args, canvas, userEvent }) => {
    const up = canvas.getByRole('button', { name: 'Good response' })
    const down = canvas.getByRole('button', { name: 'Bad response' })
    await userEvent.click(up)
    await expect(up).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(down)
    await expect(up).toHaveAttribute('aria-pressed', 'false')
    await expect(down).toHaveAttribute('aria-pressed', 'true')
    await userEvent.keyboard(' ')
    await expect(down).toHaveAttribute('aria-pressed', 'false')
    await expect(args.onFeedback).toHaveBeenLastCalledWith(undefined, MESSAGE)
  },
}

export const InActions: Story = {
  name: 'Beside the other actions',
  render: (args) => (
    <Message
      messageId="a-1"
      messageActions={
        <>
          <CopyAction />
          <RetryAction />
          <FeedbackAction {...args} ratingOf={() => 'up'} />
        </>
      }
    />
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Good response', pressed: true })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Regenerate' })).toBeVisible()
  },
}

export const RightToLeft: Story = {
  name: 'Arabic',
  parameters: { chat: { messages: [answer('a-1', [text(ARABIC_ANSWER)])] } },
  render: (args) => (
    <DictionaryProvider strings={arabic}>
      <div lang="ar" dir="rtl">
        <Message messageId="a-1" messageActions={<FeedbackAction {...args} ratingOf={() => 'up'} />} />
      </div>
    </DictionaryProvider>
  ),
}

export const Narrow: Story = { ...InActions, name: '320 px', parameters: { ...InActions.parameters, frame: 'narrow' } }
