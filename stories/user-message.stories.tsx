import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { ChatMessage } from '../src/state/turn.ts'
import { errorOf, said } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const WORDS = 'Run it for every gauge in this file, and show me the oxbow lakes along the lower reach.'

const meta = {
  title: 'Parts/User message',
  component: Message,
  decorators: [withChat],
  args: { messageId: 'u-1' },
} satisfies Meta<typeof Message>

export default meta
type Story = StoryObj<typeof meta>

const one = (change: Partial<ChatMessage> = {}, words = WORDS): { readonly chat: Partial<ChatSnapshot> } => ({
  chat: {
    messages: [said('u-1', words, { createdAt: Date.UTC(2026, 2, 1, 14, 5), requestId: '5b0c7a2e', ...change })],
  },
})

export const Sent: Story = {
  parameters: one(),
  play: async ({ canvas, userEvent }) => {
    await userEvent.tab()
    await expect(canvas.getByRole('button', { name: 'Copy' })).toHaveFocus()
    await userEvent.tab()
    await expect(canvas.getByRole('button', { name: 'Edit' })).toHaveFocus()
  },
}

const files = [
  { id: 'f-1', name: 'gauges.csv', mimeType: 'text/csv', size: 48_000 },
  { id: 'f-2', name: 'sheet-14-detail.png', mimeType: 'image/png', size: 1_200_000 },
]

export const WithFiles: Story = {
  name: 'Sent with files',
  parameters: one({ files: [...files, 'an-id-without-a-name'] }),
}

export const Sending: Story = { parameters: one({ status: 'sending' }) }

export const NotSent: Story = {
  name: 'Not sent: retry, edit, discard',
  parameters: one({ status: 'not-sent', error: errorOf({ code: 'network_error', kind: 'connection' }), files }),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Retry' }))
    await expect(chatIn(canvasElement).used).toEqual([['retry', 'u-1']])
  },
}

export const MayHaveArrived: Story = {
  name: 'May have arrived: send again, discard',
  parameters: one({ status: 'not-sent', error: errorOf({ code: 'delivery_unknown', kind: 'connection' }), files }),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await expect(canvas.getByText('May have arrived')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Send again' }))
    await expect(chatIn(canvasElement).used).toEqual([['retry', 'u-1']])
  },
}

export const Editing: Story = {
  name: 'Editing',
  parameters: one({ files }),
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Edit' }))
    await expect(canvas.getByRole('textbox', { name: 'Edit message' })).toHaveFocus()
  },
}

export const Edited: Story = {
  name: 'Edit sent: replaces the message',
  parameters: one({ files }),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Edit' }))
    await userEvent.clear(canvas.getByRole('textbox'))
    await userEvent.click(canvas.getByRole('button', { name: 'Remove sheet-14-detail.png' }))
    await userEvent.keyboard('Only the first ten{Enter}')
    await expect(chatIn(canvasElement).used).toEqual([
      ['edit', ['u-1', { text: 'Only the first ten', files: [files[0]], metadata: undefined }]],
    ])
  },
}

export const Cancelled: Story = {
  name: 'Escape cancels editing',
  parameters: one(),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Edit' }))
    await userEvent.keyboard('{Escape}')
    await expect(canvas.getByRole('button', { name: 'Edit' })).toHaveFocus()
    await expect(chatIn(canvasElement).used).toEqual([])
  },
}

export const Foreign: Story = { name: 'In another script', parameters: one({}, 'لماذا تتعرّج الأنهار؟') }

export const Narrow: Story = {
  name: 'One long word, 320 px',
  parameters: { frame: 'narrow', ...one({ files }, `Look at ${'meander'.repeat(12)}`) },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth)
  },
}
