import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { CostMeter } from '../src/components/usage-meter.tsx'
import { InLanguage } from './support/in-language.tsx'

const USAGE = { cost: 1.25, currency: 'EUR' }

const meta = {
  title: 'Jobs/Cost meter',
  component: CostMeter,
  args: { usage: USAGE, limit: 5 },
} satisfies Meta<typeof CostMeter>

export default meta
type Story = StoryObj<typeof meta>

const every = (): ReactElement => (
  <div className="story-rows">
    <CostMeter usage={USAGE} />
    <CostMeter usage={USAGE} limit={5} />
    <CostMeter usage={USAGE} limit={1} />
  </div>
)

export const WithLimit: Story = { name: 'With a limit' }

export const NoLimit: Story = { name: 'Without a limit', args: { limit: undefined } }

export const OverTheLimit: Story = { name: 'Over the limit', args: { limit: 1 } }

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
