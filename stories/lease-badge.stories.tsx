import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { expect } from 'storybook/test'
import type { Dictionary } from '../src/strings/dictionary.ts'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { LeaseBadge, LeaseList } from '../src/components/lease-badge.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { ChatContext } from '../src/react/chat-context.ts'
import type { Lease } from '../src/seam/lease.ts'
import { answer, part } from './support/messages.ts'
import { createStillChat } from './support/still-chat.tsx'

/** What the user has allowed for a time. `LeaseList` shows those of a chat; `LeaseBadge` is one of its rows, with plain values. */
const meta = {
  title: 'Prompts/Lease badge',
  component: LeaseBadge,
} satisfies Meta<typeof LeaseBadge>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const nothing = (): void => {}

export const Running: Story = {
  name: 'Time left',
  render: () => (
    <LeaseBadge name="fs.write" resource="/reports" remainingMs={852_000} onExtend={nothing} onRevoke={nothing} />
  ),
}

export const Ending: Story = {
  name: 'Ends in less than a minute',
  render: () => (
    <LeaseBadge name="net.fetch" resource="survey.example" remainingMs={48_000} onExtend={nothing} onRevoke={nothing} />
  ),
}

export const Over: Story = {
  name: 'Time expired, not confirmed by the assistant',
  render: () => <LeaseBadge name="net.fetch" resource="survey.example" remainingMs={0} />,
}

export const NoLimit: Story = {
  name: 'No time limit',
  render: () => <LeaseBadge name="mail.read" grants="Reads mails of the last week." onRevoke={nothing} />,
}

export const Changing: Story = {
  render: () => (
    <LeaseBadge name="fs.write" resource="/reports" remainingMs={852_000} status="changing" onRevoke={nothing} />
  ),
}

export const Unconfirmed: Story = {
  render: () => (
    <LeaseBadge name="fs.write" resource="/reports" remainingMs={852_000} status="unconfirmed" onRevoke={nothing} />
  ),
}

export const Refused: Story = {
  render: () => (
    <LeaseBadge name="fs.write" resource="/reports" remainingMs={852_000} status="refused" onExtend={nothing} />
  ),
}

export const Hostile: Story = {
  name: 'Words that mislead',
  render: () => (
    <LeaseBadge
      name={`fs.read\u202Eetirw ${'W'.repeat(500)}`}
      resource={`/${'x'.repeat(2000)}`}
      grants={`**Nothing** <button>Revoked</button>\n${'\u0301'.repeat(300)}`}
      remainingMs={852_000}
      onRevoke={nothing}
    />
  ),
}

interface ListedProps {
  readonly strings?: Dictionary | undefined
  readonly dir?: 'rtl' | undefined
}

const lease = (change: Partial<Lease>): Lease => ({
  name: 'fs.write',
  resource: '/reports',
  state: 'active',
  canExtend: true,
  canRevoke: true,
  ...change,
})

/** All leases of a chat in which nothing moves. */
function Listed({ strings, dir }: ListedProps): ReactElement {
  const [chat] = useState(() =>
    createStillChat({
      status: 'streaming',
      messages: [
        answer(
          'a-1',
          [
            part('l-1', { type: 'lease', lease: lease({}) }),
            part('l-2', { type: 'lease', lease: lease({ name: 'mail.read', resource: undefined, canExtend: false }) }),
            part('l-3', { type: 'lease', lease: lease({ name: 'net.fetch', state: 'revoked' }) }),
          ],
          { status: 'streaming' },
        ),
      ],
    }),
  )
  return (
    <ChatContext.Provider value={chat}>
      <DictionaryProvider strings={strings}>
        <div dir={dir}>
          <LeaseList />
        </div>
      </DictionaryProvider>
    </ChatContext.Provider>
  )
}

export const List: Story = {
  name: 'All of a chat',
  render: () => <Listed />,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getAllByRole('listitem')).toHaveLength(2)
    await userEvent.tab()
    await expect(canvas.getByRole('button', { name: 'Extend by 15 min' })).toHaveFocus()
  },
}

export const Narrow: Story = { name: 'On a phone', parameters: { frame: 'narrow' }, render: () => <Listed /> }

export const German: Story = { render: () => <Listed strings={german} /> }

export const Chinese: Story = { render: () => <Listed strings={chinese} /> }

export const Arabic: Story = { name: 'Arabic, right to left', render: () => <Listed strings={arabic} dir="rtl" /> }
