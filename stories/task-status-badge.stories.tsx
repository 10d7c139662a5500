import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { TaskStatusBadge } from '../src/components/task-card.tsx'
import { InLanguage } from './support/in-language.tsx'
import { EVERY_TASK } from './support/tasks.ts'

const meta = {
  title: 'Tasks/Task status badge',
  component: TaskStatusBadge,
  args: { status: 'working' },
} satisfies Meta<typeof TaskStatusBadge>

export default meta
type Story = StoryObj<typeof meta>

const every = (): ReactElement[] =>
  EVERY_TASK.map(({ status, word }) => (
    <p key={status}>
      <TaskStatusBadge status={status} word={word} />
    </p>
  ))

export const Working: Story = {}

export const EveryState: Story = { name: 'Every state', render: () => <div>{every()}</div> }

export const UnknownWithoutWord: Story = { name: 'A state without a word', args: { status: 'unknown' } }

export const Unfinished: Story = { name: 'Not finished when the response ended', args: { live: false } }

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
