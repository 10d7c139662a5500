import type { Meta, StoryObj } from '@storybook/react-vite'
import { HealthBadge } from '../src/components/health-badge.tsx'

const meta = {
  title: 'Parts/Health badge',
  component: HealthBadge,
  args: { status: 'ok' },
} satisfies Meta<typeof HealthBadge>

export default meta
type Story = StoryObj<typeof meta>

export const Operational: Story = {}

export const Degraded: Story = { args: { status: 'degraded' } }

export const Maintenance: Story = { args: { status: 'maintenance' } }

export const Unknown: Story = { args: { status: 'unknown' } }

export const Checked: Story = { name: 'With the time of the check', args: { checkedAt: Date.UTC(2026, 2, 1, 8, 15) } }

export const Stale: Story = {
  name: 'Stale',
  args: { checkedAt: Date.UTC(2026, 2, 1, 8, 15), stale: true },
}
