import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect, fn } from 'storybook/test'
import { JobCard } from '../src/components/job-card.tsx'
import { InLanguage } from './support/in-language.tsx'

const meta = {
  title: 'Jobs/Job card',
  component: JobCard,
  args: { title: 'survey', state: 'running', message: 'Reading gauge 3', percent: 40 },
} satisfies Meta<typeof JobCard>

export default meta
type Story = StoryObj<typeof meta>

const STATES = ['accepted', 'queued', 'running', 'blocked', 'paused', 'completed', 'failed', 'cancelled'] as const
const GONE = { code: 'HEARTBEAT_LOST', message: 'The job gave no sign of life.' }

const every = (): ReactElement => (
  <div className="story-grid">
    {STATES.map((state) => (
      <JobCard
        key={state}
        title="survey"
        state={state}
        current={3}
        total={8}
        error={state === 'failed' ? GONE : undefined}
        onCancel={() => {}}
        onRetry={() => {}}
      />
    ))}
    <JobCard title="survey" state="running" stale message="Reading gauge 3" onCancel={() => {}} />
  </div>
)

export const Running: Story = {
  args: { onCancel: fn(), onInterrupt: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab()
    await expect(canvas.getByRole('button', { name: 'Interrupt' })).toHaveFocus()
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    await expect(args.onCancel).toHaveBeenCalledOnce()
  },
}

export const EveryState: Story = { name: 'Every state', render: every }

export const NoShare: Story = { name: 'No share is known', args: { percent: undefined } }

export const Stopping: Story = {
  name: 'Being stopped',
  args: { onCancel: () => new Promise(() => {}) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Stop job' }))
    await expect(canvas.getByRole('button', { name: 'Stopping…' })).toHaveAttribute('aria-disabled', 'true')
  },
}

export const Hostile: Story = {
  name: 'Hostile words',
  parameters: { frame: 'narrow' },
  args: { title: `\u202Eevil ${'x'.repeat(200)}`, message: `<img src=x onerror=alert(1)> ${'long '.repeat(60)}` },
}

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
