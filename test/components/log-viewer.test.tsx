// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { LogViewer } from '../../src/components/log-viewer.tsx'

afterEach(cleanup)

it('shows level, time and words of each entry, as plain text', () => {
  const entry = { level: 'warn', message: '<b>Slow</b>', timestamp: '2026-03-01T08:15:00.123Z' } as const
  const { container } = render(<LogViewer entries={[entry]} />)
  expect(screen.getByRole('list', { name: 'Log' }).textContent).toContain('08:15:00Warning<b>Slow</b>')
  expect(container.querySelector('b')).toBeNull()
})

it('shows the last of very many, and the others on request', () => {
  const entries = Array.from({ length: 300 }, (_, at) => ({ level: 'info', message: `Entry ${at}` }) as const)
  render(<LogViewer entries={entries} />)
  const rows = (): number => screen.getAllByRole('listitem').length
  expect(rows()).toBeLessThan(90)
  expect(screen.getByText('Entry 299').isConnected).toBe(true)
  const before = rows()
  fireEvent.click(screen.getByRole('button'))
  expect(rows()).toBeGreaterThan(before)
})

it('says that there is nothing yet', () => {
  const { container } = render(<LogViewer entries={[]} />)
  expect(container.textContent).toContain('No log entries yet')
})
