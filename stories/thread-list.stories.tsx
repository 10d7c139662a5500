import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, fn, within } from 'storybook/test'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { arabicThreads } from '../src/strings/arabic-pack.ts'
import { ThreadList } from '../src/components/thread-list.tsx'
import type { Thread } from '../src/state/thread.ts'

const at = (day: number, hour = 8): number => Date.UTC(2025, 2, day, hour, 15)

const threads: readonly Thread[] = [
  {
    id: 't1',
    title: 'Why do rivers meander?',
    status: 'running',
    unread: false,
    createdAt: at(9),
    updatedAt: at(9, 9),
  },
  {
    id: 't2',
    title: 'Bends of the Mole, gauge by gauge, over the last sixty years and what moved them',
    status: 'idle',
    unread: true,
    createdAt: at(8),
    updatedAt: at(8),
  },
  {
    id: 't3',
    title: 'Oxbow lakes in survey imagery',
    status: 'failed',
    unread: false,
    createdAt: at(7),
    updatedAt: at(7),
  },
  { id: 't4', title: 'How wide is a meander?', status: 'idle', unread: false, createdAt: at(6), updatedAt: at(6) },
  { id: 't5', title: '', status: 'idle', unread: false, createdAt: at(5), updatedAt: at(5) },
]

const meta = {
  title: 'Parts/Thread list',
  component: ThreadList,
  parameters: { frame: 'narrow' },
  args: { threads, current: 't4', onSelect: fn(), onCreate: fn(), onRename: fn(), onRemove: fn() },
} satisfies Meta<typeof ThreadList>

export default meta
type Story = StoryObj<typeof meta>

export const Threads: Story = {
  name: 'Every state',
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: /^Oxbow lakes/ }))
    await expect(args.onSelect).toHaveBeenCalledWith('t3')
    await expect(canvas.getByRole('button', { name: /^How wide/ })).toHaveAttribute('aria-current', 'page')
  },
}

export const Keyboard: Story = {
  name: 'Roving tabindex',
  play: async ({ args, canvas, userEvent }) => {
    const open = (name: RegExp): HTMLElement => canvas.getByRole('button', { name })
    canvas.getByRole('searchbox').focus()
    await userEvent.tab()
    await userEvent.tab()
    await expect(open(/How wide is a meander.*\d/)).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect(open(/^Bends of the Mole/)).toHaveFocus()
    await userEvent.keyboard('{End}')
    await expect(open(/^Untitled/)).toHaveFocus()
    await userEvent.keyboard('{Home}{Enter}')
    await expect(args.onSelect).toHaveBeenCalledWith('t1')
  },
}

export const Renaming: Story = {
  name: 'Rename',
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Rename How wide is a meander?' }))
    const box = canvas.getByRole('textbox', { name: 'Title' })
    await expect(box).toHaveFocus()
    await userEvent.clear(box)
    await userEvent.type(box, 'Widths{Enter}')
    await expect(args.onRename).toHaveBeenCalledWith('t4', 'Widths')
    await userEvent.click(canvas.getByRole('button', { name: 'Rename How wide is a meander?' }))
    await userEvent.keyboard('Something else{Escape}')
    await expect(args.onRename).toHaveBeenCalledTimes(1)
    await userEvent.click(canvas.getByRole('button', { name: 'Rename How wide is a meander?' }))
  },
}

export const Removing: Story = {
  name: 'Delete and undo',
  render: function Removing(args) {
    const [left, setLeft] = useState(args.threads)
    const remove = async (id: string): Promise<() => void> => {
      setLeft((before) => before.filter((thread) => thread.id !== id))
      return () => setLeft(args.threads)
    }
    return <ThreadList {...args} threads={left} onRemove={remove} />
  },
  play: async ({ canvas, userEvent }) => {
    const first = canvas.getByRole('button', { name: /^Why do rivers meander/ })
    first.focus()
    await userEvent.keyboard('{Delete}')
    await expect(await canvas.findByText('Why do rivers meander? deleted')).toBeVisible()
    await expect(canvas.getByRole('button', { name: /^Bends of the Mole/ })).toHaveFocus()
    await userEvent.click(canvas.getByRole('button', { name: 'Undo' }))
    await expect(await canvas.findByRole('button', { name: /^Why do rivers meander/ })).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Delete How wide is a meander?' }))
    await canvas.findByText('How wide is a meander? deleted')
  },
}

export const Search: Story = {
  name: 'Search',
  play: async ({ canvas, userEvent }) => {
    const box = canvas.getByRole('searchbox', { name: 'Search conversations' })
    await userEvent.type(box, 'meander wide')
    await expect(within(canvas.getByRole('list')).getAllByRole('listitem')).toHaveLength(1)
    await userEvent.clear(box)
    await userEvent.type(box, 'mountains')
    await expect(canvas.getByText('No matching conversations')).toBeVisible()
  },
}

export const Empty: Story = { name: 'Empty', args: { threads: [] } }

export const Loading: Story = { name: 'Loading', args: { threads: [], status: 'loading' } }

export const OnlyReading: Story = {
  name: 'Read-only',
  render: ({ current, onSelect }) => <ThreadList threads={threads} current={current} onSelect={onSelect} />,
}

export const Unavailable: Story = {
  name: 'Storage blocked',
  args: { persistence: { where: 'memory', reason: 'unavailable' } },
}

export const Full: Story = {
  name: 'Storage full',
  args: { persistence: { where: 'memory', reason: 'full' } },
}

export const SignedOut: Story = { name: 'Signed out', args: { threads: [], persistence: { where: 'nowhere' } } }

export const Arabic: Story = {
  name: 'Arabic, with titles in another script',
  args: { strings: arabicThreads },
  decorators: [
    (Story) => (
      <DictionaryProvider strings={arabic}>
        <div dir="rtl" lang="ar">
          <Story />
        </div>
      </DictionaryProvider>
    ),
  ],
}
