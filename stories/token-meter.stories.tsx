import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { TokenMeter } from '../src/components/usage-meter.tsx'
import { InLanguage } from './support/in-language.tsx'

const USAGE = { inputTokens: 1200, outputTokens: 300 }

const meta = {
  title: 'Jobs/Token meter',
  component: TokenMeter,
  args: { usage: USAGE, limit: 4000 },
} satisfies Meta<typeof TokenMeter>

export default meta
type Story = StoryObj<typeof meta>

const every = (): ReactElement => (
  <div className="story-rows">
    <TokenMeter usage={USAGE} />
    <TokenMeter usage={USAGE} limit={4000} />
    <TokenMeter usage={USAGE} limit={1000} />
  </div>
)

export const WithLimit: Story = { name: 'With a limit' }

export const NoLimit: Story = { name: 'Without a limit', args: { limit: undefined } }

export const OverTheLimit: Story = { name: 'Over the limit', args: { limit: 1000 } }

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
