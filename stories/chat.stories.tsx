import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { cut, pause } from '../src/testing/scripted-agent.ts'
import { ScriptedChat } from './support/scripted-chat.tsx'

const meta = {
  title: 'Whole chat',
  component: ScriptedChat,
  parameters: { frame: 'chat' },
  args: { question: 'Why do rivers meander?' },
} satisfies Meta<typeof ScriptedChat>

export default meta
type Story = StoryObj<typeof meta>

export const PlainAnswer: Story = {
  args: { script: ['A river bends ', pause(20), 'because fast water ', 'carves the outer bank.'] },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByText('A river bends because fast water carves the outer bank.')).toBeVisible())
  },
}

export const CutAndHealed: Story = {
  name: 'A line that breaks and heals in mid-answer',
  args: { script: ['A river bends ', cut(), 'because fast water carves the outer bank.'] },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByText('A river bends because fast water carves the outer bank.')).toBeVisible())
  },
}
