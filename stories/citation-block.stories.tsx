import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { CitationBlock } from '../src/components/citation-block/citation-block.tsx'
import type { Citation } from '../src/seam/agent-event.ts'
import { SOURCES } from './support/messages.ts'
import { HOSTILE_SOURCES, MANY_SOURCES } from './support/sources.ts'

const meta = {
  title: 'Parts/Citation block',
  component: CitationBlock,
  args: { citations: SOURCES },
} satisfies Meta<typeof CitationBlock>

export default meta
type Story = StoryObj<typeof meta>

export const Listed: Story = {
  name: 'Sources of a finished response',
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'Sources' })).toBeVisible()
    await expect(canvas.getByRole('link', { name: /Source 1: River meanders/ })).toHaveAttribute(
      'href',
      'https://example.org/river-meanders',
    )
  },
}

export const Chips: Story = {
  name: 'Chips while streaming',
  args: { compact: true },
}

export const Many: Story = {
  name: 'More sources than fit: panel',
  args: { citations: MANY_SOURCES },
  play: async ({ canvas, userEvent }) => {
    const all = canvas.getByRole('button', { name: 'Show all 14' })
    await userEvent.click(all)
    const panel = canvas.getByRole('dialog', { name: 'Sources' })
    await expect(panel.matches(':popover-open')).toBe(true)
    await expect(panel).toHaveTextContent('Field station report 14')
    await userEvent.click(canvas.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(panel.matches(':popover-open')).toBe(false))
    await expect(all).toHaveFocus()
  },
}

export const ManyChips: Story = {
  name: 'Many chips',
  args: { citations: MANY_SOURCES, compact: true },
}

export const NoConfidence: Story = {
  name: 'No confidence given',
  args: { citations: SOURCES.map((source): Citation => ({ ...source, confidence: undefined })) },
}

export const NotTheWeb: Story = {
  tags: ['picture'],
  name: 'Addresses that are not web addresses',
  args: {
    citations: [
      { sourceId: 'a', uri: 'javascript:alert(1)', title: 'A script' },
      { sourceId: 'b', uri: 'urn:isbn:9780674027480', title: 'A book' },
      { sourceId: 'c', uri: '/etc/passwd', title: 'A file' },
    ],
  },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

export const Hostile: Story = {
  name: 'Hostile titles',
  args: { citations: HOSTILE_SOURCES, limit: 8 },
}

export const Narrow: Story = {
  name: '320 px',
  args: { citations: [...SOURCES, ...HOSTILE_SOURCES] },
  parameters: { frame: 'narrow' },
}

export const One: Story = {
  name: 'A single source',
  args: { citations: SOURCES.slice(0, 1) },
}
