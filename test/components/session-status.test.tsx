// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { SessionStatus } from '../../src/components/session-status.tsx'

afterEach(cleanup)

it('tells a reconnect in a live region, with the next attempt and a way to make it now', () => {
  const [onRetry, onClose] = [vi.fn(), vi.fn()]
  const props = { runtime: 'memory 1', onConnect: vi.fn(), onClose, onRetry }
  const { rerender, container } = render(<SessionStatus phase="accepted" remainingMs={300_000} {...props} />)
  expect(screen.getByRole('status').textContent).toContain('Connected')
  expect(container.textContent).toContain('Session ends in 5 min')
  expect(screen.queryByRole('button', { name: 'Retry now' })).toBeNull()
  rerender(<SessionStatus phase="reconnecting" retryInMs={4000} {...props} />)
  expect(screen.getByRole('status').textContent).toContain('Reconnecting')
  expect(container.textContent).toContain('Next attempt in 4 s')
  fireEvent.click(screen.getByRole('button', { name: 'Retry now' }))
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect' }))
  expect([onRetry, onClose].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it.each([
  ['rejected', 'Connection refused'],
  ['evicted', 'Session ended'],
] as const)('says why a session was %s, and connects again', (phase, words) => {
  const onConnect = vi.fn()
  const error = { code: 'UNAUTHENTICATED', message: 'The token is not valid.' }
  const { container } = render(<SessionStatus phase={phase} error={error} onConnect={onConnect} onClose={() => {}} />)
  expect(screen.getByRole('status').textContent).toContain(words)
  expect(container.textContent).toContain('The token is not valid.')
  expect(container.querySelector('details')?.textContent).toBe('DetailsUNAUTHENTICATED')
  expect(screen.queryByRole('button', { name: 'Disconnect' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Connect' }))
  expect(onConnect).toHaveBeenCalledOnce()
})

it('lists what both sides can do', () => {
  render(<SessionStatus phase="accepted" capabilities={['streaming', 'artifacts']} />)
  expect(screen.getByRole('list', { name: 'Capabilities' }).children).toHaveLength(2)
})
