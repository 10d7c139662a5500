import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { expect } from 'storybook/test'
import { ThoughtTrace } from '../src/components/thought-trace.tsx'

const WORDS = 'Sheet 14 shows four loops. The one by the weir has bare banks, so it is young.'
const LONG = [
  'The file has 31 rows. Two have no width, so the estimate has nothing to work with there; I should say so instead of dropping them quietly.',
  'For the lakes I need imagery of the lower reach. Sheet 14 covers it from the weir down to the tidal limit, and cut-off loops show up as crescents of still water.',
]

const meta = {
  title: 'Parts/Thought trace',
  component: ThoughtTrace,
  args: { thoughts: [{ id: 't-1', text: WORDS }], durationMs: 4000 },
} satisfies Meta<typeof ThoughtTrace>

export default meta
type Story = StoryObj<typeof meta>

export const Folded: Story = {
  name: 'Done, collapsed',
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText(WORDS)).not.toBeVisible()
    await userEvent.click(canvas.getByText('Thought for 4 s'))
    await expect(canvas.getByText(WORDS)).toBeVisible()
    await userEvent.click(canvas.getByText('Thought for 4 s'))
  },
}

export const Live: Story = {
  name: 'Live, follows its end',
  args: { live: true, durationMs: undefined, thoughts: LONG.map((text, index) => ({ id: `t-${index}`, text })) },
}

export const Open: Story = {
  name: 'Opened by the user',
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Thought for 4 s'))
    await expect(canvas.getByText(WORDS)).toBeVisible()
  },
}

export const TimeUnknown: Story = {
  name: 'Done, duration unknown',
  args: { durationMs: undefined },
}

export const BrokenOff: Story = {
  name: 'Interrupted',
  args: { failed: true },
}

export const Redacted: Story = {
  name: 'Redacted',
  args: { thoughts: [{ id: 't-1', text: '', redacted: true }] },
}

/** Says one more word every tenth of a second, then is done. */
function Growing(): ReactNode {
  const words = LONG.join(' ').split(' ')
  const [count, setCount] = useState(1)
  const live = count < words.length
  useEffect(() => {
    if (!live) return undefined
    const timer = setTimeout(() => setCount(count + 1), 100)
    return () => clearTimeout(timer)
  }, [count, live])
  return <ThoughtTrace live={live} thoughts={[{ id: 't-1', text: words.slice(0, count).join(' ') }]} />
}

export const Streaming: Story = {
  name: 'Streaming, then collapsed',
  render: () => <Growing />,
}
