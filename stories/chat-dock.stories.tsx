import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ChatDock, Chat } from '../src/components/chat.tsx'
import { ConnectionStatus } from '../src/components/connection-status.tsx'
import { Composer } from '../src/components/composer/composer.tsx'
import { MessageList } from '../src/components/message-list/message-list.tsx'
import { answer, said, text } from './support/messages.ts'
import { withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Chat dock',
  component: ChatDock,
  decorators: [withChat],
  parameters: {
    frame: 'chat',
    chat: { messages: [said('u-1', 'Why do rivers meander?'), answer('a-1', [text('No bank is perfectly even.')])] },
  },
} satisfies Meta<typeof ChatDock>

export default meta
type Story = StoryObj<typeof meta>

export const OwnOrder: Story = {
  name: 'Custom layout',
  render: () => (
    <Chat>
      <MessageList />
      <ChatDock>
        <Composer />
        <p className="cs-meta">Answers may be wrong. Check the gauges.</p>
        <ConnectionStatus bare />
      </ChatDock>
    </Chat>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Answers may be wrong. Check the gauges.')).toBeVisible()
    await expect(canvas.queryByRole('banner')).toBeNull()
  },
}
