// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { SubscriptionViewer } from '../../src/components/subscription-viewer.tsx'

afterEach(cleanup)

const EVENTS = Array.from({ length: 3 }, (_, at) => ({ id: `${at}`, name: 'job.progress', text: `${at} %` }))

it('separates the history from new events', () => {
  const onClose = vi.fn()
  render(<SubscriptionViewer status="open" events={EVENTS} backfilled={2} onClose={onClose} />)
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows).toEqual(['job.progress 0 %', 'job.progress 1 %', 'New events', 'job.progress 2 %'])
  expect(screen.getByRole('status').textContent).toContain('Up to date')
  fireEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }))
  expect(onClose).toHaveBeenCalledOnce()
})

it.each([
  ['opening', 'Subscribing'],
  ['backfilling', 'Loading earlier events'],
  ['closed', 'Subscription ended'],
  ['failed', "Couldn't subscribe"],
] as const)('says that it is %s', (status, words) => {
  render(<SubscriptionViewer status={status} events={[]} reason="BACKPRESSURE_OVERFLOW" onClose={() => {}} />)
  const isOver = status === 'closed' || status === 'failed'
  expect(screen.getByRole('status').textContent).toContain(words)
  expect(screen.queryByText('BACKPRESSURE_OVERFLOW') !== null).toBe(isOver)
  expect(screen.queryByRole('button') === null).toBe(isOver)
})

it('says how many events are no longer shown, and that there are none', () => {
  const { container, rerender } = render(<SubscriptionViewer status="open" events={EVENTS} dropped={16} />)
  expect(container.textContent).toContain('16 earlier events are no longer shown')
  rerender(<SubscriptionViewer status="open" events={[]} />)
  expect(container.textContent).toContain('No events yet')
})
