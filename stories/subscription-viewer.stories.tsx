import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect, fn } from 'storybook/test'
import { SubscriptionViewer } from '../src/components/subscription-viewer.tsx'
import { InLanguage } from './support/in-language.tsx'

const EVENTS = Array.from({ length: 6 }, (_, at) => ({
  id: `${at}`,
  name: 'job.progress',
  subject: 'job_1',
  text: `${at * 20} %`,
}))

const meta = {
  title: 'Jobs/Subscription viewer',
  component: SubscriptionViewer,
  args: { status: 'open', events: EVENTS, backfilled: 3 },
} satisfies Meta<typeof SubscriptionViewer>

export default meta
type Story = StoryObj<typeof meta>

const STATES = ['opening', 'backfilling', 'open', 'closed', 'failed'] as const

const every = (): ReactElement => (
  <div className="story-rows">
    {STATES.map((status) => (
      <SubscriptionViewer
        key={status}
        aria-label={status}
        status={status}
        events={status === 'open' ? EVENTS : []}
        backfilled={3}
        reason="BACKPRESSURE_OVERFLOW"
        onClose={() => {}}
      />
    ))}
  </div>
)

export const Live: Story = {
  args: { onClose: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText('New events')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Unsubscribe' }))
    await expect(args.onClose).toHaveBeenCalledOnce()
  },
}

export const EveryState: Story = { name: 'Every state', render: every }

export const Dropped: Story = { name: 'Too many to keep', args: { dropped: 16, backfilled: 0 } }

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
