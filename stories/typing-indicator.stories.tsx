import type { Meta, StoryObj } from '@storybook/react-vite'
import { TypingIndicator } from '../src/components/typing-indicator.tsx'

const meta = {
  title: 'Parts/Typing indicator',
  component: TypingIndicator,
} satisfies Meta<typeof TypingIndicator>

export default meta
type Story = StoryObj<typeof meta>

export const Waiting: Story = { name: 'Waiting for the first token' }
