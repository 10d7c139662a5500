import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { DataBlock } from '../src/components/data-block.tsx'

const GAUGES = {
  columns: ['Channel width', 'Wavelength, m', 'Bends', 'Typical setting'],
  rows: [
    ['10 m', 120, 8, 'Meadow stream'],
    ['40 m', 480, 4, 'Lowland river'],
    ['250 m', 3000, 1, 'Delta approach'],
  ],
}

const meta = {
  title: 'Parts/Data block',
  component: DataBlock,
  args: { data: GAUGES, viewHint: 'TABLE' },
} satisfies Meta<typeof DataBlock>

export default meta
type Story = StoryObj<typeof meta>

export const Table: Story = { name: 'A table, figures at the end side' }

export const Captioned: Story = {
  tags: ['picture'],
  name: 'Table with a caption',
  args: { caption: 'Bends by width of the channel' },
}

export const Wide: Story = {
  name: 'Wide table scrolls',
  parameters: { frame: 'narrow' },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('group', { name: 'Data' })).toHaveAttribute('tabindex', '0')
  },
}

export const Mixed: Story = {
  name: 'Rows with different columns',
  args: {
    data: [
      { name: 'Mole', bends: 31 },
      { name: 'Wey', lock: { kind: 'pound', since: 1764 } },
      'a row of its own',
      null,
    ],
  },
}

export const Endless: Story = {
  name: 'More rows than shown',
  args: { data: Array.from({ length: 320 }, (_, at) => ({ gauge: at + 1, width: (at * 7) % 90 })) },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText(/270 more not shown/)).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Show more' }))
    await expect(canvas.getByText(/70 more not shown/)).toBeVisible()
  },
}

export const List: Story = {
  name: 'A list',
  args: { viewHint: 'LIST', data: ['Meadow stream', 'Lowland river', { name: 'Delta approach', bends: 1 }] },
}

export const Pairs: Story = {
  name: 'Keys and values',
  args: {
    viewHint: 'KEY_VALUE',
    data: { reach: 'lower', length_km: 14.2, surveyed: true, source: 'https://survey.example/sheet-14', notes: null },
  },
}

export const Json: Story = {
  name: 'JSON',
  args: { viewHint: 'JSON', data: { reach: 'lower', weirs: [{ km: 3.1 }, { km: 9.4 }] } },
}

export const Long: Story = {
  name: 'Truncated JSON',
  args: { viewHint: 'JSON', data: 'meander '.repeat(4000) },
}

export const Empty: Story = { name: 'Nothing in it', args: { data: { columns: ['Gauge'], rows: [] } } }
