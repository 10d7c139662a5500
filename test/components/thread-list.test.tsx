// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ThreadList } from '../../src/components/thread-list.tsx'
import type { Thread } from '../../src/state/thread.ts'
import './show.tsx'

const thread: Thread = {
  id: '00000000-0000-4000-8000-00000000000c',
  title: 'Rivers',
  status: 'running',
  unread: false,
  createdAt: 1,
  updatedAt: 1,
}

describe('a row of the list of conversations', () => {
  it('deletes with a bin, as a cross would read as “close”', () => {
    render(<ThreadList threads={[thread]} onSelect={() => {}} onRemove={() => {}} />)
    const icon = screen.getByRole('button', { name: 'Delete Rivers', hidden: true }).querySelector('svg')
    expect(icon?.dataset['name']).toBe('trash')
  })

  it('says that a response is under way', () => {
    render(<ThreadList threads={[thread]} onSelect={() => {}} />)
    expect(screen.getByText('Responding…')).toBeTruthy()
  })

  it('says that the agent waits for the user, and not that it responds', () => {
    render(<ThreadList threads={[{ ...thread, status: 'awaiting-input' }]} onSelect={() => {}} />)
    expect(screen.getByText('Waiting for you')).toBeTruthy()
    expect(screen.queryByText('Responding…')).toBeNull()
  })
})
