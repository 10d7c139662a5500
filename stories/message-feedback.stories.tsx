import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { expect, fn } from 'storybook/test'
import { arabic } from '../src/components/locales/arabic.ts'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { Message } from '../src/components/message/message.tsx'
import type { RenderMessageActions } from '../src/components/message/render-message-actions.ts'
import type {
  MessageFeedbackProps,
  MessageFeedbackValue,
} from '../src/components/message-feedback/message-feedback.tsx'
import { MessageFeedback } from '../src/components/message-feedback/message-feedback.tsx'
import { ARABIC_ANSWER } from './support/arabic.ts'
import { answer, text } from './support/messages.ts'
import { PARAGRAPHS } from './support/rivers.ts'
import { withChat } from './support/still-chat.tsx'

const [FIRST = ''] = PARAGRAPHS
const MESSAGE = answer('a-1', [text(FIRST)], { endedAt: Date.UTC(2026, 2, 1, 14, 5) })

const meta = {
  title: 'Parts/Message feedback',
  component: MessageFeedback,
  args: { message: MESSAGE, onChange: fn() },
} satisfies Meta<typeof MessageFeedback>

export default meta
type Story = StoryObj<typeof meta>

/** The rating is the app's: here it lives as long as the story. */
function Rating({ value: first, onChange, ...props }: MessageFeedbackProps): ReactNode {
  const [value, setValue] = useState<MessageFeedbackValue | undefined>(first)
  return (
    <MessageFeedback
      {...props}
      value={value}
      onChange={(next, message) => {
        setValue(next)
        onChange(next, message)
      }}
    />
  )
}

export const NotRated: Story = { name: 'Not rated' }

export const Up: Story = { name: 'Thumbs up', args: { value: 'up' } }

export const Down: Story = { name: 'Thumbs down', args: { value: 'down' } }

export const Pressed: Story = {
  name: 'Rated, changed and taken back',
  render: (args) => <Rating {...args} />,
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
    await expect(args.onChange).toHaveBeenLastCalledWith(undefined, MESSAGE)
  },
}

const rate: RenderMessageActions = (message) => <Rating message={message} value="up" onChange={() => {}} />

export const InActions: Story = {
  name: 'In the actions of an answer',
  decorators: [withChat],
  parameters: { chat: { messages: [MESSAGE] } },
  render: () => <Message messageId="a-1" messageActions={rate} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Good response', pressed: true })).toBeVisible()
  },
}

export const RightToLeft: Story = {
  name: 'Arabic',
  decorators: [withChat],
  parameters: { chat: { messages: [answer('a-1', [text(ARABIC_ANSWER)])] } },
  render: () => (
    <DictionaryProvider strings={arabic}>
      <div lang="ar" dir="rtl">
        <Message messageId="a-1" messageActions={rate} />
      </div>
    </DictionaryProvider>
  ),
}

export const Narrow: Story = { ...InActions, name: '320 px', parameters: { ...InActions.parameters, frame: 'narrow' } }
