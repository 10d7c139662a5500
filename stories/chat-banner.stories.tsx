import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { ChatBanner } from '../src/components/chat.tsx'
import { defaultStrings } from '../src/strings/dictionary.ts'
import { errorOf, connectionAt, said } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const asked = said('u-1', 'Why do rivers meander?', { requestId: '5b0c7a2e' })

const meta = {
  title: 'Parts/Chat banner',
  component: ChatBanner,
  decorators: [withChat],
  args: { onSignIn: fn(), onRequestAccess: fn() },
} satisfies Meta<typeof ChatBanner>

export default meta
type Story = StoryObj<typeof meta>

export const Failed: Story = {
  name: 'Run failed',
  parameters: {
    chat: {
      messages: [asked],
      status: 'error',
      error: errorOf({ code: 'http_error', status: 500, message: 'The agent answered with HTTP status 500.' }),
    },
  },
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: defaultStrings.error.tryAgain }))
    await expect(chatIn(canvasElement).retry).toHaveBeenCalledOnce()
  },
}

export const SignedOut: Story = {
  name: 'Sign-in required',
  parameters: { chat: { messages: [asked], status: 'error', error: errorOf({ code: 'unauthorized', status: 401 }) } },
}

export const Down: Story = {
  name: 'No connection before the first response',
  parameters: {
    chat: {
      messages: [asked],
      status: 'submitted',
      connection: connectionAt({
        phase: 'waiting',
        attempt: 1,
        nextRetryAt: 1e9,
        error: errorOf({
          kind: 'connection',
          code: 'network_error',
          severity: 'TRANSIENT',
          message: 'The connection broke.',
        }),
      }),
    },
  },
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: defaultStrings.reconnection.retryNow })
  },
}

export const Nothing: Story = {
  name: 'No error: empty',
  parameters: { chat: { messages: [asked] } },
}
