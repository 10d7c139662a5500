import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { UnknownEvent } from '../src/components/unknown-event.tsx'

const meta = {
  title: 'Parts/Unknown event',
  component: UnknownEvent,
  args: { name: 'MAP_OVERLAY', raw: { layer: 'reach-14', opacity: 0.6 } },
} satisfies Meta<typeof UnknownEvent>

export default meta
type Story = StoryObj<typeof meta>

export const Folded: Story = { name: 'Kept, folded, never fatal' }

export const Open: Story = {
  name: 'Opened: all data',
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Unsupported content'))
    await expect(canvas.getByText(/"reach-14"/)).toBeVisible()
  },
}

export const Long: Story = {
  name: 'Very long name and content',
  parameters: { frame: 'narrow' },
  args: { name: 'MAP_OVERLAY_'.repeat(20), raw: 'overlay '.repeat(5000) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Unsupported content'))
    await expect(canvas.getByText('20,000 more characters')).toBeInTheDocument()
  },
}
