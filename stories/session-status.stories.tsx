import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect, fn } from 'storybook/test'
import { SessionStatus } from '../src/components/session-status.tsx'
import { InLanguage } from './support/in-language.tsx'

const meta = {
  title: 'Jobs/Session status',
  component: SessionStatus,
  args: { phase: 'accepted', runtime: 'capstan 1' },
} satisfies Meta<typeof SessionStatus>

export default meta
type Story = StoryObj<typeof meta>

const PHASES = [
  'idle',
  'opening',
  'challenged',
  'authenticating',
  'accepted',
  'refreshing',
  'reconnecting',
  'closing',
  'evicted',
  'rejected',
] as const
const REFUSED = { code: 'UNAUTHENTICATED', message: 'The token is not valid.' }

const every = (): ReactElement => (
  <div className="story-rows">
    {PHASES.map((phase) => (
      <SessionStatus
        key={phase}
        phase={phase}
        runtime="capstan 1"
        retryInMs={4000}
        error={phase === 'rejected' || phase === 'evicted' ? REFUSED : undefined}
        onConnect={() => {}}
        onClose={() => {}}
        onRetry={() => {}}
      />
    ))}
  </div>
)

export const Connected: Story = {
  args: { capabilities: ['streaming', 'artifacts', 'human_input'], remainingMs: 300_000, onClose: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Disconnect' }))
    await expect(args.onClose).toHaveBeenCalledOnce()
  },
}

export const EveryPhase: Story = { name: 'Every phase', render: every }

export const Narrow: Story = { name: '320 px', parameters: { frame: 'narrow' }, render: every }

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
