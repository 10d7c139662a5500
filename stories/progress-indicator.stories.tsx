import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { ProgressIndicator } from '../src/components/progress-indicator.tsx'

const meta = {
  title: 'Parts/Progress indicator',
  component: ProgressIndicator,
  args: {
    steps: [
      { id: 'p-1', label: 'Write the summary', status: 'pending' },
      { id: 'p-2', label: 'Searching survey imagery', status: 'running' },
      { id: 'p-3', label: 'Estimating wavelength', status: 'running', fraction: 0.62 },
      { id: 'p-4', label: 'Read gauges.csv', status: 'complete', detail: '31 rows' },
      { id: 'p-5', label: 'Elevation tiles', status: 'failed', fraction: 0.2, detail: 'no answer in 30 s' },
    ],
  },
} satisfies Meta<typeof ProgressIndicator>

export default meta
type Story = StoryObj<typeof meta>

export const EveryState: Story = { tags: ['picture'], name: 'Every state, one height' }

export const Pending: Story = {
  name: 'Pending',
  args: { steps: [{ id: 'p', label: 'Write the summary', status: 'pending' }] },
}

export const Indeterminate: Story = {
  name: 'Running, indeterminate',
  args: { steps: [{ id: 'p', label: 'Searching survey imagery', status: 'running' }] },
}

export const Determinate: Story = {
  name: 'Running, with percentage',
  args: { steps: [{ id: 'p', label: 'Estimating wavelength', status: 'running', fraction: 0.62 }] },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('progressbar', { name: 'Estimating wavelength' })).toHaveAttribute(
      'aria-valuetext',
      '62%',
    )
  },
}

export const Complete: Story = {
  name: 'Done',
  args: { steps: [{ id: 'p', label: 'Read gauges.csv', status: 'complete', detail: '31 rows' }] },
}

export const Failed: Story = {
  name: 'Failed, with reason and percentage',
  args: {
    steps: [{ id: 'p', label: 'Elevation tiles', status: 'failed', fraction: 0.2, detail: 'no answer in 30 s' }],
  },
}

export const TaskStates: Story = {
  name: 'Further states of a task',
  args: {
    steps: [
      { id: 't-1', label: 'Choose a reach', status: 'waiting' },
      { id: 't-2', label: 'Order imagery', status: 'cancelled' },
      { id: 't-3', label: 'Publish the map', status: 'rejected', detail: 'not allowed here' },
      { id: 't-4', label: 'Ask the upper station', status: 'unknown' },
    ],
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Waiting for you')).toBeVisible()
    await expect(canvas.getByText('Declined by the assistant')).toBeVisible()
  },
}

export const Ended: Story = { name: 'Not finished when the response ended', args: { live: false } }

export const Long: Story = {
  name: 'Long labels',
  parameters: { frame: 'narrow' },
  args: {
    steps: [
      {
        id: 'p-1',
        label: 'Comparing the centre lines of all reaches between the weir and the tidal limit',
        status: 'running',
        fraction: 0.1,
      },
      {
        id: 'p-2',
        label: 'Elevation tiles',
        status: 'failed',
        detail: 'tiles.example gave no answer in 30 s, three times in a row',
      },
      { id: 'p-3', label: 'قراءة الخرائط', status: 'complete' },
    ],
  },
}

export const Many: Story = {
  name: 'Many steps: earlier ones collapsed',
  args: {
    steps: Array.from({ length: 30 }, (_, at) => ({
      id: `p-${at}`,
      label: `Sheet ${at + 1}`,
      status:
        at === 3
          ? ('failed' as const)
          : at < 27
            ? ('complete' as const)
            : at === 27
              ? ('running' as const)
              : ('pending' as const),
      fraction: at === 27 ? 0.4 : undefined,
    })),
  },
  play: async ({ canvas, userEvent }) => {
    const fold = canvas.getByText('22 earlier steps, 1 failed')
    await userEvent.click(fold)
    await waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(31))
    await userEvent.click(fold)
    await waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(9))
  },
}
