// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { JobCard } from '../../src/components/job-card.tsx'

afterEach(cleanup)

it.each([
  ['accepted', 'Accepted'],
  ['queued', 'Queued'],
  ['running', 'Running'],
  ['blocked', 'Waiting for an answer'],
  ['paused', 'Paused'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const)('says in words that a job is %s', (state, words) => {
  const { container } = render(<JobCard title="survey" state={state} />)
  expect(screen.getByRole('group', { name: 'survey' }).getAttribute('data-state')).toBe(state)
  expect(container.textContent).toContain(words)
})

it('shows the share by percent or by count, and none that is not known', () => {
  const { rerender } = render(<JobCard state="running" percent={40} />)
  const bar = (): HTMLElement => screen.getByRole('progressbar', { name: 'Progress' })
  expect(bar().getAttribute('value')).toBe('40')
  rerender(<JobCard state="running" current={3} total={4} />)
  expect(bar().getAttribute('value')).toBe('75')
  expect(screen.getByText('3 of 4').isConnected).toBe(true)
  rerender(<JobCard state="running" />)
  expect(bar().hasAttribute('value')).toBe(false)
  rerender(<JobCard state="completed" percent={100} />)
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('says that a job gives no sign of life, unless it has ended', () => {
  const { container, rerender } = render(<JobCard state="running" stale />)
  expect(container.textContent).toContain('Not responding')
  rerender(<JobCard state="completed" stale />)
  expect(container.textContent).toContain('Completed')
})

it('says why it failed, and runs it again', () => {
  const onRetry = vi.fn()
  const error = { code: 'HEARTBEAT_LOST', message: 'The job is gone.' }
  const { container } = render(<JobCard state="failed" error={error} onCancel={() => {}} onRetry={onRetry} />)
  expect(container.textContent).toContain('The job is gone.')
  expect(container.querySelector('details')?.textContent).toBe('DetailsCode: HEARTBEAT_LOST')
  expect(screen.queryByRole('button', { name: 'Stop job' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

it('stops once, says that it is stopping, and keeps the button where it is', async () => {
  let settle = (): void => {}
  const onCancel = vi.fn(() => new Promise<void>((resolve) => (settle = resolve)))
  render(<JobCard state="running" onCancel={onCancel} onInterrupt={() => {}} />)
  const button = screen.getByRole('button', { name: 'Stop job' })
  fireEvent.click(button)
  fireEvent.click(button)
  expect(onCancel).toHaveBeenCalledOnce()
  expect(button.textContent).toContain('Stopping…')
  expect(button.getAttribute('aria-disabled')).toBe('true')
  settle()
  expect(await screen.findByRole('button', { name: 'Stop job' })).toBe(button)
  expect(screen.getByRole('button', { name: 'Interrupt' }).isConnected).toBe(true)
})

it('renders words of the runtime as text, and on a server', () => {
  const html = renderToString(<JobCard title="<img src=x>" state="running" message="<b>Allow</b>" />)
  expect(html).toContain('&lt;img src=x&gt;')
  expect(html).not.toContain('<b>Allow')
})
