import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ToolCall } from '../src/components/tool-call.tsx'

const meta = {
  title: 'Parts/Tool call',
  component: ToolCall,
  args: {
    name: 'gauges.estimate',
    status: 'complete',
    input: { file: 'gauges.csv', rule: '10–14 w' },
    output: { rows: 29, left_out: [12, 27] },
    durationMs: 3200,
  },
} satisfies Meta<typeof ToolCall>

export default meta
type Story = StoryObj<typeof meta>

export const Complete: Story = {
  name: 'Done, collapsed',
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Used gauges.estimate'))
    await expect(canvas.getByText(/"left_out"/)).toBeVisible()
  },
}

export const Running: Story = { name: 'Running', args: { status: 'running', output: undefined, durationMs: undefined } }

export const Preparing: Story = {
  name: 'Preparing: the input arrives',
  args: {
    status: 'preparing',
    input: undefined,
    partialInput: '{"file":"gauges.c',
    output: undefined,
    durationMs: undefined,
  },
}

export const Waiting: Story = {
  name: 'Waiting for the user',
  args: { status: 'waiting', output: undefined, durationMs: undefined },
}

export const Denied: Story = {
  name: 'Denied by the user',
  args: { status: 'denied', output: undefined, durationMs: undefined },
}

export const Failed: Story = { name: 'Failed', args: { status: 'failed', output: 'gauges.csv is not there' } }

export const Big: Story = {
  name: 'Truncated output',
  args: { output: { log: 'bend '.repeat(10_000) } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Used gauges.estimate'))
    await expect(canvas.getByText(/more characters/)).toBeVisible()
  },
}

export const LongName: Story = {
  name: 'Long name',
  parameters: { frame: 'narrow' },
  args: { name: 'survey.imagery.tiles.find_by_bounding_box_and_season', status: 'running' },
}
