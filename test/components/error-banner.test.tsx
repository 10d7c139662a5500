// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/base/agent-error.ts'
import { describeError } from '../../src/components/error-banner/describe-error.ts'
import { ErrorBanner } from '../../src/components/error-banner/error-banner.tsx'
import { english } from '../../src/components/dictionary.ts'
import { errorOf } from './fake-chat.ts'
import './show.tsx'

describe('an error, by its severity', () => {
  it('FATAL is an alert', () => {
    render(<ErrorBanner error={errorOf({ code: 'forbidden', status: 403 })} onRequestAccess={() => {}} />)
    const alert = screen.getByRole('alert')
    expect(alert.dataset['severity']).toBe('FATAL')
    expect(alert.dataset['code']).toBe('forbidden')
    expect(screen.getByText('You do not have access')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Request access' })).toBeTruthy()
  })

  it('TRANSIENT is a status whose figure is for eyes only', () => {
    const error = errorOf({ severity: 'TRANSIENT', message: 'The index is slow.' })
    let retried = 0
    render(<ErrorBanner error={error} nextRetryAt={performance.now() + 60_000} attempt={2} maxAttempts={3} onRetry={() => (retried += 1)} />)
    const status = screen.getByRole('status')
    expect(status.textContent).toContain('attempt 2 of 3')
    expect(screen.getByText(/^Reconnecting in \d+ s$/).getAttribute('aria-hidden')).toBe('true')
    fireEvent.click(screen.getByRole('button', { name: 'Retry now' }))
    expect(retried).toBe(1)
  })

  it('WARNING is a note that can be put away', () => {
    let gone = 0
    render(<ErrorBanner error={errorOf({ severity: 'WARNING', message: 'Old data.' })} onDismiss={() => (gone += 1)} />)
    expect(screen.getByRole('note').textContent).toContain('Old data.')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(gone).toBe(1)
  })

  it('shows what a server said as text, behind the details', () => {
    render(<ErrorBanner error={errorOf({ code: 'http_error', status: 500, message: '<img src=x onerror=alert(1)>' })} requestId="r-1" />)
    const details = screen.getByRole('group')
    expect(details.hasAttribute('open')).toBe(false)
    expect(details.textContent).toContain('http_error · HTTP 500 · request r-1')
    expect(details.textContent).toContain('<img src=x onerror=alert(1)>')
    expect(details.querySelector('img')).toBeNull()
  })

  it('offers no button that leads nowhere', () => {
    render(<ErrorBanner error={errorOf({ code: 'unauthorized' })} />)
    expect(screen.queryAllByRole('button')).toEqual([])
  })
})

describe('the headline of an error', () => {
  it.each<[code: ErrorCode, more: { status?: number; agentCode?: string }, title: string]>([
    ['unauthorized', {}, 'Your session has ended'],
    ['agent_error', { agentCode: 'AUTH_FAILED' }, 'Your session has ended'],
    ['http_error', { status: 403 }, 'You do not have access'],
    ['not_found', { status: 404 }, 'This agent could not be found'],
    ['log_expired', {}, 'This answer can no longer be continued'],
    ['rate_limited', { status: 429 }, 'Too many requests'],
    ['agent_error', { agentCode: 'rate_limit_exceeded' }, 'Too many requests'],
    ['http_error', { status: 503 }, 'The agent could not answer'],
    ['http_error', { status: 422 }, 'The agent did not accept the request'],
    ['network_error', {}, 'Could not reach the agent after 3 attempts'],
    ['timeout', {}, 'The agent took too long to answer'],
    ['truncated', {}, 'The connection ended early'],
    ['invalid_packet', {}, 'The answer could not be read'],
    ['invalid_config', {}, 'The request could not be sent'],
    ['agent_error', { agentCode: 'TOXICITY_DETECTED' }, 'The agent reported a problem'],
    ['app_error', {}, 'Something went wrong in this app'],
  ])('%s %o: %s', (code, more, title) => {
    const told = describeError(errorOf({ code, ...more }), english, 3)
    expect(told.title).toBe(title)
    expect(told.text).not.toBe('')
  })

  it('counts no attempts it does not know of', () => {
    expect(describeError(errorOf({ code: 'network_error' }), english).title).toBe('Could not reach the agent')
  })

  it('says how long to wait when the server did', () => {
    expect(describeError(errorOf({ code: 'rate_limited', retryAfterMs: 30_000 }), english).text).toBe('Wait 30 s, then try again.')
  })
})
