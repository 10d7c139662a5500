import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Skeleton } from '../src/components/skeleton.tsx'

const meta = {
  title: 'Parts/Skeleton',
  component: Skeleton,
} satisfies Meta<typeof Skeleton>

export default meta
type Story = StoryObj<typeof meta>

export const Loading: Story = {
  name: 'Loading a conversation',
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Loading the conversation')).toBeInTheDocument()
  },
}

export const Turns: Story = { name: 'Several turns', args: { turns: 3 } }
