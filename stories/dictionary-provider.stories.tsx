import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ConnectionStatus } from '../src/components/connection-status.tsx'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { Message } from '../src/components/message/message.tsx'
import { said } from './support/messages.ts'
import { withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Dictionary provider',
  component: DictionaryProvider,
  decorators: [withChat],
  parameters: { chat: { messages: [said('u-1', 'Why do rivers meander?', { status: 'not-sent' })] } },
  render: (args) => (
    <DictionaryProvider {...args}>
      <ConnectionStatus />
      <Message messageId="u-1" />
    </DictionaryProvider>
  ),
} satisfies Meta<typeof DictionaryProvider>

export default meta
type Story = StoryObj<typeof meta>

export const English: Story = { name: 'English by default' }

export const SomeWords: Story = {
  name: 'Some strings replaced',
  args: { strings: { message: { notSent: 'Still here' } } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent('Still here')
    await expect(canvasElement).toHaveTextContent('Discard')
  },
}

export const Arabic: Story = {
  name: 'In Arabic',
  globals: { direction: 'rtl' },
  args: { strings: arabic },
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent(arabic.connection.ready)
  },
}
