import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { ChatMessage } from '../src/state/turn.ts'
import { answer, errorOf, connectionAt, said, text } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Message ending',
  component: Message,
  decorators: [withChat],
  args: { messageId: 'a-1' },
} satisfies Meta<typeof Message>

export default meta
type Story = StoryObj<typeof meta>

const ended = (
  change: Partial<ChatMessage>,
  words = 'Its neck closed within one flood season, which fits the',
): { readonly chat: Partial<ChatSnapshot> } => ({
  chat: { messages: [answer('a-1', words === '' ? [] : [text(words)], change)] },
})
const unreachable = errorOf({
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'Failed to fetch',
})

export const Incomplete: Story = {
  parameters: ended({
    status: 'incomplete',
    error: errorOf({ kind: 'connection', code: 'truncated', severity: 'TRANSIENT' }),
  }),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Continue' }))
    await expect(chatIn(canvasElement).retry).toHaveBeenCalledWith('a-1')
  },
}

export const GaveUp: Story = {
  name: 'Incomplete: out of attempts',
  parameters: {
    chat: {
      connection: connectionAt({ phase: 'failed', attempt: 3, error: unreachable }),
      messages: [
        answer('a-1', [text('The lower reach holds four oxbow lakes, the')], {
          status: 'incomplete',
          error: unreachable,
        }),
      ],
    },
  },
}

export const Restarted: Story = {
  parameters: ended({ restarted: true }, 'Four lakes lie between the weir and the bridge.'),
}

export const Stopped: Story = {
  name: 'Stopped by the user',
  parameters: ended({ status: 'stopped' }, 'To mark them on the map, first'),
}

export const Stopping: Story = {
  name: 'Stopping',
  parameters: ended({ status: 'stopped', stop: 'cancelling' }, 'To mark them on the map, first'),
}

export const StoppedAtAgent: Story = {
  name: 'Stopped, confirmed by the agent',
  parameters: ended({ status: 'stopped', stop: 'cancelled' }, 'To mark them on the map, first'),
}

export const Left: Story = {
  name: 'Stopped here only',
  parameters: ended({ status: 'stopped', stop: 'left' }, 'To mark them on the map, first'),
}

export const BrokeOff: Story = {
  name: 'Interrupted',
  parameters: ended(
    { status: 'failed', error: errorOf({ agentCode: 'internal_error' }) },
    'The lower reach holds four oxbow lakes, the',
  ),
}

export const NoAnswer: Story = {
  name: 'No response',
  parameters: ended({ status: 'failed', error: errorOf({ agentCode: 'internal_error' }) }, ''),
}

export const FurtherUp: Story = {
  name: 'Not the last message: no action',
  parameters: {
    chat: {
      messages: [
        answer('a-1', [text('To mark them on the map, first')], { status: 'stopped' }),
        said('u-2', 'Never mind.'),
      ],
    },
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('You stopped this response')).toBeVisible()
    await expect(canvas.queryByRole('button', { name: 'Regenerate' })).toBeNull()
  },
}

export const Reconnecting: Story = {
  name: 'Reconnecting',
  parameters: {
    chat: {
      status: 'streaming',
      connection: connectionAt({
        phase: 'waiting',
        attempt: 1,
        nextRetryAt: performance.now() + 40_000,
        error: unreachable,
      }),
      messages: [answer('a-1', [text('Its neck closed within')], { status: 'streaming' })],
    },
  },
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: 'Retry now' })
  },
}

export const Offline: Story = {
  parameters: {
    chat: {
      status: 'streaming',
      connection: connectionAt({ phase: 'offline', attempt: 1 }),
      messages: [answer('a-1', [text('Its neck closed within')], { status: 'streaming' })],
    },
  },
}

export const NotSent: Story = {
  name: 'Message not sent',
  args: { messageId: 'u-1' },
  parameters: {
    chat: {
      status: 'error',
      error: unreachable,
      messages: [said('u-1', 'Mark the two gauges without a width.', { status: 'not-sent', error: unreachable })],
    },
  },
}
