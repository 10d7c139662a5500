import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { Announcer } from '../src/components/announcer.tsx'
import { answer, connectionAt, said, text } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

/** It is never seen: the stories show the page around it and check what it says. */
const meta = {
  title: 'Parts/Announcer',
  component: Announcer,
  decorators: [
    withChat,
    (Story) => (
      <>
        <Story />
        <p>Nothing to see here: the voice is for screen readers.</p>
      </>
    ),
  ],
  parameters: {
    chat: {
      status: 'streaming',
      connection: connectionAt({ phase: 'streaming' }),
      messages: [said('u-1', 'Why?'), answer('a-1', [text('Because')], { status: 'streaming' })],
    },
  },
} satisfies Meta<typeof Announcer>

export default meta
type Story = StoryObj<typeof meta>

const says = (canvasElement: HTMLElement, words: string): Promise<void> =>
  waitFor(() =>
    expect([...canvasElement.querySelectorAll('[role="status"]')].map((region) => region.textContent).join('')).toBe(
      words,
    ),
  )

export const Silent: Story = {
  name: 'No announcement while a response streams',
  play: ({ canvasElement }) => says(canvasElement, ''),
}

export const Complete: Story = {
  name: 'Response complete',
  play: async ({ canvasElement }) => {
    chatIn(canvasElement).set({ status: 'ready', messages: [said('u-1', 'Why?'), answer('a-1', [text('Because.')])] })
    await says(canvasElement, 'Response complete')
  },
}

export const Lost: Story = {
  name: 'Connection lost and restored',
  play: async ({ canvasElement }) => {
    chatIn(canvasElement).set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) })
    await says(canvasElement, 'Connection lost, reconnecting')
  },
}
