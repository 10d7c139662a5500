// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Chat } from '../../src/components/chat.tsx'
import { defaultStrings } from '../../src/strings/dictionary.ts'
import { describeError } from '../../src/components/error-details.tsx'
import type { ErrorActions } from '../../src/components/error-banner.tsx'
import { ErrorBanner } from '../../src/components/error-banner.tsx'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from './fake-chat.ts'
import { listenToLiveRegions } from './live-regions.ts'
import { pass } from './show.tsx'

describe('an error, by its severity', () => {
  it('FATAL is an alert', () => {
    render(<ErrorBanner error={errorOf({ code: 'forbidden', status: 403 })} onRequestAccess={() => {}} />)
    const alert = screen.getByRole('alert')
    expect(alert.dataset['severity']).toBe('FATAL')
    expect(alert.dataset['code']).toBe('forbidden')
    expect(screen.getByText('Access denied')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Request access' })).toBeTruthy()
  })

  it('TRANSIENT is a status whose figure is for eyes only', () => {
    const error = errorOf({ severity: 'TRANSIENT', message: 'The index is slow.' })
    let retried = 0
    render(
      <ErrorBanner
        error={error}
        nextRetryAt={performance.now() + 60_000}
        attempt={2}
        maxAttempts={3}
        onRetry={() => (retried += 1)}
      />,
    )
    const [status] = screen.getAllByRole('status') as [HTMLElement]
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
    render(
      <ErrorBanner
        error={errorOf({ code: 'http_error', status: 500, message: '<img src=x onerror=alert(1)>' })}
        requestId="r-1"
      />,
    )
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

describe('a host with its own controls', () => {
  const actions: ErrorActions = {
    rate_limited: <button type="button">Upgrade</button>,
    quota_spent: ({ agentCode }) => <a href="#credits">Buy credits for {agentCode}</a>,
  }

  it('adds them by our code, before the default buttons', () => {
    render(<ErrorBanner error={errorOf({ code: 'http_error', status: 429 })} actions={actions} onRetry={() => {}} />)
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Upgrade', 'Try again'])
  })

  it('adds them by the agent’s code, with the error at hand', () => {
    render(<ErrorBanner error={errorOf({ agentCode: 'quota_spent' })} actions={actions} />)
    expect(screen.getByRole('link', { name: 'Buy credits for quota_spent' })).toBeTruthy()
  })

  it('adds nothing to other errors', () => {
    render(<ErrorBanner error={errorOf({ agentCode: 'constructor' })} actions={actions} />)
    expect(document.querySelector('.cs-banner-actions')).toBeNull()
  })

  it('shows them in a chat even where the message reports the failure itself', () => {
    const spent = errorOf({ agentCode: 'quota_spent', severity: 'TRANSIENT' })
    const chat = createFakeChat({
      status: 'error',
      error: spent,
      messages: [said('u', 'Hi'), answer('a', [text('Half')], { status: 'incomplete', error: spent })],
    })
    const { rerender } = render(<Chat chat={chat} />)
    expect(document.querySelector('.cs-banner')).toBeNull()
    rerender(<Chat chat={chat} errorActions={actions} />)
    expect(screen.getByRole('link', { name: /Buy credits/ })).toBeTruthy()
    // The message has the one button for another try.
    expect(screen.getAllByRole('button', { name: /Try again|Continue/ })).toHaveLength(1)
  })
})

describe('what strangers wrote', () => {
  const PAGE =
    '<!doctype html><html><body><h1>502</h1><script>alert(1)</script><img src=x onerror=alert(1)></body></html>'

  it('is text, whatever it contains', () => {
    const { container } = render(
      <ErrorBanner error={errorOf({ agentCode: 'unheard_of', message: PAGE })} requestId={PAGE} />,
    )
    expect(screen.getByText(PAGE, { selector: '.cs-error-said' })).toBeTruthy()
    expect(container.querySelector('h1, script, img')).toBeNull()
  })

  it('leaves the body of a refusal out altogether', () => {
    const { container } = render(
      <ErrorBanner
        error={errorOf({
          code: 'http_error',
          status: 502,
          message: 'The agent answered with HTTP status 502.',
          details: { body: PAGE },
        })}
      />,
    )
    expect(container.textContent).not.toContain('<')
    expect(container.textContent).toContain('HTTP 502')
  })

  it('is cut at a length people still read, and not through a letter', () => {
    const long = `${'a'.repeat(299)}😀${'b'.repeat(5000)}`
    render(<ErrorBanner error={errorOf({ agentCode: 'unheard_of', message: long })} />)
    expect(describeError(errorOf({ message: long }), defaultStrings).text).toBe(`${'a'.repeat(299)}…`)
    expect(document.querySelector('.cs-error-said')?.textContent).toHaveLength(2001)
  })
})

describe('“Retry now”', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const slow = errorOf({ code: 'timeout', severity: 'TRANSIENT' })
  const banner = (nextRetryAt: number, onRetry: () => void): ReactNode => (
    <ErrorBanner error={slow} nextRetryAt={nextRetryAt} attempt={1} maxAttempts={3} onRetry={onRetry} />
  )

  it('pressed too often says why nothing happens, and stays where it is', () => {
    let pressed = 0
    render(banner(60_000, () => (pressed += 1)))
    const button = screen.getByRole('button', { name: 'Retry now' })
    fireEvent.click(button)
    expect(pressed).toBe(1)
    expect(screen.queryByText(/Too many attempts/)).toBeNull()
    // The plan is the same after a moment: the attempt did not go out.
    pass(400)
    expect(screen.getByText(/^· Too many attempts\. Waiting a moment\.$/).getAttribute('role')).toBe('status')
    expect(screen.getByRole('button', { name: 'Retry now' })).toBe(button)
  })

  it('that worked says nothing', () => {
    const { rerender } = render(banner(60_000, () => {}))
    const button = screen.getByRole('button', { name: 'Retry now' })
    fireEvent.click(button)
    // Under way, and lost again with a new plan.
    rerender(banner(0, () => {}))
    expect(screen.getByRole('button', { name: 'Retry now' })).toBe(button)
    pass(1000)
    rerender(banner(90_000, () => {}))
    pass(1000)
    expect(screen.queryByText(/Too many attempts/)).toBeNull()
  })

  it('says so in a message too, where the log is silent but this is not', () => {
    const chat = createFakeChat({
      status: 'streaming',
      connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: 60_000, error: slow }),
      messages: [said('u', 'Hi'), answer('a', [text('Half')], { status: 'streaming' })],
    })
    const { container } = render(<Chat chat={chat} />)
    pass(400)
    const listener = listenToLiveRegions(container)
    fireEvent.click(screen.getByRole('button', { name: 'Retry now' }))
    pass(400)
    expect(chat.used).toEqual([['retry']])
    expect(listener.heard).toContain('Too many attempts. Waiting a moment.')
    listener.stop()
  })
})

describe('a countdown', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is updated every second and announced once', () => {
    const { container } = render(
      <ErrorBanner
        error={errorOf({ severity: 'TRANSIENT' })}
        nextRetryAt={performance.now() + 12_000}
        attempt={2}
        maxAttempts={3}
        onRetry={() => {}}
      />,
    )
    const listener = listenToLiveRegions(container)
    const seen = new Set<string>()
    for (let second = 0; second < 13; second += 1) {
      seen.add(screen.getByText(/^Reconnecting/, { selector: '[aria-hidden]' }).textContent ?? '')
      pass(1000)
    }
    expect(seen.size).toBeGreaterThan(10)
    expect(listener.heard).toEqual([])
    listener.stop()
  })

  it('of a rate limit says how long is left, then that it has ended, and is heard once', () => {
    const limited = errorOf({ code: 'rate_limited', retryAfterMs: 3000 })
    const { container, unmount } = render(<ErrorBanner error={limited} onRetry={() => {}} />)
    const figure = (): string | null => screen.getByText(/again/, { selector: '[aria-hidden]' }).textContent
    const listener = listenToLiveRegions(container)
    expect(figure()).toBe('Try again in 3 s.')
    pass(1000)
    expect(figure()).toBe('Try again in 2 s.')
    expect(listener.heard).toEqual([])
    listener.stop()
    unmount()
    pass(1000)
    const { rerender } = render(<ErrorBanner error={limited} onRetry={() => {}} />)
    expect(figure()).toBe('Try again in 1 s.')
    pass(1000)
    expect(figure()).toBe('You can try again now.')
    rerender(
      <ErrorBanner error={errorOf({ agentCode: 'rate_limit_exceeded', retryAfterMs: 9000 })} onRetry={() => {}} />,
    )
    expect(figure()).toBe('Try again in 9 s.')
    pass(1000)
    expect(figure()).toBe('Try again in 8 s.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('in a chat is not spoken by the banner: the announcer has announced it', () => {
    const error = errorOf({ code: 'network_error', severity: 'TRANSIENT' })
    const chat = createFakeChat({ status: 'submitted', messages: [said('u', 'Hi', { status: 'sending' })] })
    const { container } = render(<Chat chat={chat} />)
    const listener = listenToLiveRegions(container)
    act(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: 20_000, error }) }))
    pass(400)
    act(() => chat.set({ connection: connectionAt({ phase: 'connecting', attempt: 1, error }) }))
    pass(400)
    act(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 2, nextRetryAt: 40_000, error }) }))
    pass(400)
    expect(container.querySelector('.cs-banner')?.textContent).toContain('attempt 2 of 3')
    expect(listener.heard).toEqual(['Connection lost, reconnecting'])
    listener.stop()
  })
})

describe('a banner that goes away under the keyboard', () => {
  const failed = errorOf({ code: 'http_error', status: 500 })

  it.each(['Dismiss', 'Try again'])('hands the focus to the last message after %s', (name) => {
    const chat = createFakeChat({ status: 'error', error: failed, messages: [said('u', 'One'), said('v', 'Two')] })
    render(<Chat chat={chat} />)
    const button = screen.getByRole('button', { name })
    button.focus()
    fireEvent.click(button)
    expect(document.activeElement).toBe(screen.getAllByRole('article').at(-1))
  })

  it('hands the focus to a transcript without messages', () => {
    render(<Chat chat={createFakeChat({ status: 'error', error: failed })} />)
    const button = screen.getByRole('button', { name: 'Try again' })
    button.focus()
    fireEvent.click(button)
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }))
  })
})
