import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { EmptyState } from '../src/components/empty-state.tsx'
import { Icon } from '../src/components/internals/icon.tsx'
import { chatIn, withChat } from './support/still-chat.tsx'

const meta = {
  title: 'Parts/Empty state',
  component: EmptyState,
  decorators: [withChat],
  args: {
    title: 'What should we look at?',
    suggestions: [
      { text: 'Explain why rivers meander', icon: <Icon name="retry" /> },
      { text: 'Estimate bends from a gauge file', icon: <Icon name="file" /> },
      { text: 'Find oxbow lakes in survey imagery', icon: <Icon name="image" /> },
    ],
  },
} satisfies Meta<typeof EmptyState>

export default meta
type Story = StoryObj<typeof meta>

export const Suggestions: Story = {
  name: 'Title and suggestions',
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Estimate bends from a gauge file' }))
    await expect(chatIn(canvasElement).used).toEqual([['sendMessage', 'Estimate bends from a gauge file']])
  },
}

export const OnlyTitle: Story = { name: 'A question alone', args: { title: undefined, suggestions: [] } }

export const AtMostFour: Story = {
  name: 'Four suggestions, some long',
  args: {
    onSelect: fn(),
    suggestions: [
      {
        text: 'Explain in three paragraphs why a straight channel bends, for someone who never saw a river.',
        label: 'Explain why rivers meander',
      },
      'How wide is a meander?',
      'Compare the upper and the lower reach of the Mole over the last sixty years, gauge by gauge, and say which one moves faster',
      'What is an oxbow lake?',
      'This one is never shown',
    ],
  },
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    await expect(canvas.getAllByRole('button')).toHaveLength(4)
    await userEvent.click(canvas.getByRole('button', { name: 'Explain why rivers meander' }))
    await expect(args.onSelect).toHaveBeenCalledWith(
      'Explain in three paragraphs why a straight channel bends, for someone who never saw a river.',
    )
    await expect(chatIn(canvasElement).used).toEqual([])
  },
}

export const Narrow: Story = { name: '320 px', parameters: { frame: 'narrow' }, args: AtMostFour.args ?? {} }
