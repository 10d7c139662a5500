import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { ConnectionStatus } from '../src/components/connection-status.tsx'
import type { Connection } from '../src/session/connection.ts'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import { connectionAt } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Connection status',
  component: ConnectionStatus,
  decorators: [withChat],
} satisfies Meta<typeof ConnectionStatus>

export default meta
type Story = StoryObj<typeof meta>

const at = (change: Partial<Connection>): { readonly chat: Partial<ChatSnapshot> } => ({
  chat: { connection: connectionAt(change) },
})

export const Ready: Story = { parameters: at({}) }

export const Connecting: Story = { parameters: at({ phase: 'connecting' }) }

export const Live: Story = { parameters: at({ phase: 'streaming' }) }

export const Silent: Story = {
  name: 'Silent: no data for five seconds',
  parameters: at({ phase: 'streaming' }),
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByText('Waiting for the assistant')).toBeVisible(), { timeout: 20_000 })
  },
}

export const AwaitingInput: Story = {
  name: 'Waiting for you: a prompt is open',
  parameters: { chat: { status: 'awaiting-input', connection: connectionAt({ phase: 'streaming' }) } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Waiting for you')).toBeVisible()
  },
}

export const Reconnecting: Story = {
  parameters: at({ phase: 'waiting', attempt: 2 }),
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByText('Reconnecting, 2 of 3')).toBeVisible())
  },
}

export const Blink: Story = {
  name: 'Drop under 0.4 s: not shown',
  parameters: at({ phase: 'streaming' }),
  play: async ({ canvas, canvasElement }) => {
    const words = new Set<string>()
    const observer = new MutationObserver(() => words.add(canvasElement.textContent ?? ''))
    observer.observe(canvasElement, { subtree: true, childList: true, characterData: true })
    chatIn(canvasElement).set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) })
    chatIn(canvasElement).set({ connection: connectionAt({ phase: 'streaming' }) })
    await expect(canvas.getByText('Connected')).toBeVisible()
    observer.disconnect()
    await expect([...words]).toEqual([])
  },
}

export const Waiting: Story = {
  name: 'Waiting for an available connection',
  parameters: at({ phase: 'queued' }),
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByText('Queued')).toBeVisible())
  },
}

export const Offline: Story = { parameters: at({ phase: 'offline', attempt: 1 }) }

export const BackOnline: Story = {
  name: 'Back online for four seconds',
  parameters: at({ phase: 'offline', attempt: 1 }),
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByText('Offline')).toBeVisible()
    const { top, height } = canvas.getByText('Offline').getBoundingClientRect()
    chatIn(canvasElement).set({ connection: connectionAt({ phase: 'streaming' }) })
    const back = await canvas.findByText('Back online')
    await expect(back.getBoundingClientRect().top).toBe(top)
    await expect(back.getBoundingClientRect().height).toBe(height)
  },
}

export const Paused: Story = { parameters: at({ phase: 'paused' }) }

export const GaveUp: Story = { name: 'Disconnected: out of attempts', parameters: at({ phase: 'failed', attempt: 3 }) }

export const Failed: Story = { name: 'Failed: not retryable', parameters: at({ phase: 'failed' }) }

export const Bare: Story = {
  name: 'Bare, for headers',
  args: { bare: true },
  parameters: at({ phase: 'streaming' }),
}
