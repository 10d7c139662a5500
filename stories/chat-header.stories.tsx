import type { Meta, StoryObj } from '@storybook/react-vite'
import { fn } from 'storybook/test'
import { ChatHeader } from '../src/components/chat.tsx'
import { Icon } from '../src/components/internals/icon.tsx'
import { connectionAt } from './support/messages.ts'
import { withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Chat header',
  component: ChatHeader,
  decorators: [withChat],
  args: { title: 'River desk' },
} satisfies Meta<typeof ChatHeader>

export default meta
type Story = StoryObj<typeof meta>

export const Ready: Story = {}

export const Live: Story = {
  name: 'Streaming',
  parameters: { chat: { status: 'streaming', connection: connectionAt({ phase: 'streaming', connections: 1 }) } },
}

export const WithControls: Story = {
  name: 'With a trailing action',
  args: {
    children: (
      <button type="button" className="cs-icon-button" aria-label="New conversation" onClick={fn()}>
        <Icon name="plus" />
      </button>
    ),
  },
}

export const LongTitle: Story = {
  name: 'Long title, 320 px',
  parameters: { frame: 'narrow' },
  args: { title: 'Everything the river desk has ever been asked about meanders, oxbow lakes and floods' },
}
