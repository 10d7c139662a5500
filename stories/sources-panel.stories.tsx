import type { Meta, StoryObj } from '@storybook/react-vite'
import { useId } from 'react'
import { expect, waitFor } from 'storybook/test'
import { SourcesPanel } from '../src/components/citation-block/citation-block.tsx'
import { SOURCES } from './support/messages.ts'
import { HOSTILE_SOURCES, MANY_SOURCES } from './support/sources.ts'

/** Any button opens it: give it the panel's `id` as `popoverTarget`. Nothing has to know whether it is open. */
const meta = {
  title: 'Parts/Sources panel',
  component: SourcesPanel,
  args: { citations: SOURCES },
  parameters: { frame: 'chat' },
  render: function Opened(args) {
    const id = useId()
    return (
      <>
        <button type="button" className="cs-button" data-kind="plain" popoverTarget={id}>
          All sources
        </button>
        <SourcesPanel {...args} id={id} />
      </>
    )
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'All sources' }))
    const panel = canvas.getByRole('dialog', { name: 'Sources' })
    await waitFor(() => expect(panel.matches(':popover-open')).toBe(true))
  },
} satisfies Meta<typeof SourcesPanel>

export default meta
type Story = StoryObj<typeof meta>

export const Open: Story = { name: 'Open' }

export const Long: Story = { name: 'More than its height', args: { citations: MANY_SOURCES } }

export const Hostile: Story = { name: 'Hostile titles', args: { citations: HOSTILE_SOURCES } }

export const Closed: Story = {
  name: 'Closed by its button',
  play: async ({ canvas, userEvent }) => {
    const opener = canvas.getByRole('button', { name: 'All sources' })
    await userEvent.click(opener)
    await userEvent.click(canvas.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(canvas.queryByRole('dialog')).toBeNull())
    await expect(opener).toHaveFocus()
  },
}
