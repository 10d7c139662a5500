import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { GapMark } from '../src/components/gap-mark.tsx'

const meta = {
  title: 'Parts/Gap mark',
  component: GapMark,
  args: { after: 70, before: 74 },
  render: (args) => (
    <p className="cs-part cs-prose">
      The youngest lies just below the weir. Its neck closed <GapMark {...args} /> which fits the short wavelength
      there.
    </p>
  ),
} satisfies Meta<typeof GapMark>

export default meta
type Story = StoryObj<typeof meta>

export const InText: Story = { name: 'In text' }

export const One: Story = { name: 'One packet', args: { after: 70, before: 72 } }

export const Open: Story = {
  name: 'Opened: packet numbers',
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Part of the response is missing' }))
    await expect(canvas.getByRole('button', { name: 'Part of the response is missing, packets 71–73' })).toBeVisible()
  },
}

export const Narrow: Story = {
  name: 'On a phone, opened',
  parameters: { frame: 'narrow' },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button'))
  },
}
