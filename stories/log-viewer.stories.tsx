import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { LogViewer } from '../src/components/log-viewer.tsx'
import { InLanguage } from './support/in-language.tsx'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'] as const
const ENTRIES = LEVELS.map((level, at) => ({
  level,
  message: `Gauge ${at + 1} was read at the weir`,
  timestamp: `2026-03-01T08:15:0${at}Z`,
}))

const meta = {
  title: 'Jobs/Log viewer',
  component: LogViewer,
  args: { entries: ENTRIES },
} satisfies Meta<typeof LogViewer>

export default meta
type Story = StoryObj<typeof meta>

const every = (): ReactElement => <LogViewer entries={ENTRIES} />

export const EveryLevel: Story = { name: 'Every level' }

export const Empty: Story = { args: { entries: [] } }

export const Many: Story = {
  name: '1,000 entries',
  args: { entries: Array.from({ length: 1000 }, (_, at) => ({ level: 'info', message: `Entry ${at + 1}` }) as const) },
}

export const Hostile: Story = {
  name: 'Hostile words',
  parameters: { frame: 'narrow' },
  args: { entries: [{ level: 'error', message: `<img src=x onerror=alert(1)> \u202E${'x'.repeat(200)}` }] },
}

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every()}</InLanguage>,
}
