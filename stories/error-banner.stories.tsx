import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { expect, fn, waitFor } from 'storybook/test'
import type { ErrorCode } from '../src/base/agent-error.ts'
import { defaultStrings } from '../src/strings/dictionary.ts'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import type { ErrorBannerProps } from '../src/components/error-banner.tsx'
import { ErrorBanner } from '../src/components/error-banner.tsx'
import { errorOf } from './support/messages.ts'

const meta = {
  title: 'Parts/Error banner',
  component: ErrorBanner,
  args: {
    error: errorOf({ code: 'http_error', status: 500, message: 'The agent answered with HTTP status 500.' }),
    requestId: '5b0c7a2e-3d41-4f6b',
  },
} satisfies Meta<typeof ErrorBanner>

export default meta
type Story = StoryObj<typeof meta>

export const SessionEnded: Story = {
  tags: ['picture'],
  name: 'Fatal: sign-in required',
  args: {
    error: errorOf({ code: 'unauthorized', status: 401, agentCode: 'auth_failed', message: 'The token is too old.' }),
    onSignIn: fn(),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('Please sign in')
    await expect(canvas.getByRole('button', { name: 'Sign in' })).toBeVisible()
  },
}

export const NoAccess: Story = {
  name: 'Fatal: access denied',
  args: { error: errorOf({ code: 'forbidden', status: 403, message: 'Not on the list.' }), onRequestAccess: fn() },
}

export const ServerFailed: Story = {
  name: 'Fatal: the server failed, details open',
  args: { onRetry: fn(), onDismiss: fn() },
  play: ({ canvas, userEvent }) => userEvent.click(canvas.getByText('Details')),
}

export const NothingToDo: Story = {
  name: 'Fatal: no action for the user',
  args: { error: errorOf({ code: 'not_found', status: 404 }), onRetry: fn() },
}

export const AgentsOwnWords: Story = {
  name: 'Fatal: unknown agent code, HTML in the message',
  args: {
    error: errorOf({
      agentCode: 'reach_locked',
      message: '<h1>Reach 14 is locked</h1> by the water authority until the survey is over.',
    }),
    onRetry: fn(),
  },
}

/** Banners whose plan is made when the story is shown: a time written down would have ended. */
function Waiting({
  seconds,
  ...props
}: Omit<ErrorBannerProps, 'nextRetryAt'> & { readonly seconds: number }): ReactNode {
  const [until] = useState(() => performance.now() + seconds * 1000)
  return <ErrorBanner {...props} nextRetryAt={until} />
}

const slow = errorOf({ severity: 'TRANSIENT', agentCode: 'upstream_timeout', message: 'The search index is slow.' })

export const CountsDown: Story = {
  name: 'Transient: countdown',
  args: { error: slow, attempt: 2, maxAttempts: 3, onRetry: fn() },
  render: (args) => <Waiting {...args} seconds={40} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^Reconnecting in \d+ s$/)).toHaveAttribute('aria-hidden', 'true')
    await expect(canvas.getByRole('button', { name: defaultStrings.reconnection.retryNow })).toBeVisible()
  },
}

export const UnderWay: Story = {
  name: 'Transient: attempt in progress',
  args: { error: slow, nextRetryAt: 0, attempt: 2, maxAttempts: 3, onRetry: fn() },
}

export const TooOften: Story = {
  name: 'Transient: “Retry now” pressed too often',
  args: { error: slow, attempt: 2, maxAttempts: 3, onRetry: fn() },
  render: (args) => <Waiting {...args} seconds={40} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: defaultStrings.reconnection.retryNow }))
    await expect(args.onRetry).toHaveBeenCalledOnce()
    await waitFor(() => expect(canvas.getByText(/^· Too many attempts\. Waiting a moment\.$/)).toBeVisible())
  },
}

export const GaveUp: Story = {
  name: 'Transient: out of attempts',
  args: {
    error: errorOf({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message: 'Failed to fetch' }),
    attempt: 3,
    onRetry: fn(),
  },
}

export const Warning: Story = {
  name: 'Warning: a note',
  args: {
    error: errorOf({ severity: 'WARNING', agentCode: 'stale_source', message: 'Elevation data is from 2019.' }),
    onDismiss: fn(),
  },
}

export const HostsAction: Story = {
  name: 'Custom action per error code',
  args: {
    error: errorOf({ code: 'rate_limited', status: 429, retryAfterMs: 30_000, severity: 'TRANSIENT' }),
    onRetry: fn(),
    actions: {
      rate_limited: (
        <button type="button" className="cs-button" data-kind="primary">
          Upgrade
        </button>
      ),
    },
  },
}

export const HostsWords: Story = {
  name: 'Custom strings for an agent code',
  args: { error: errorOf({ agentCode: 'quota_spent' }) },
  render: (args) => (
    <DictionaryProvider
      strings={{ agentErrorMessages: { quota_spent: { title: 'No credits left', text: 'They come back on Monday.' } } }}
    >
      <ErrorBanner {...args} />
    </DictionaryProvider>
  ),
}

export const Narrow: Story = {
  name: '320 px: action below the text',
  parameters: { frame: 'narrow' },
  args: { error: slow, attempt: 2, maxAttempts: 3, onRetry: fn() },
  render: (args) => <Waiting {...args} seconds={40} />,
}

// The catalogue has exactly the codes there are: test/strings/error-messages.test.tsx.
const codes = Object.keys(defaultStrings.errorMessages) as ErrorCode[]

export const EveryCode: Story = {
  name: 'Every error code',
  render: () => (
    <div style={{ display: 'grid', gap: 8 }}>
      {codes.map((code) => (
        <ErrorBanner
          key={code}
          role="group"
          aria-label={code}
          error={errorOf({ code, message: 'What the agent said.' })}
        />
      ))}
      {Object.keys(defaultStrings.agentErrorMessages).map((agentCode) => (
        <ErrorBanner key={agentCode} role="group" aria-label={agentCode} error={errorOf({ agentCode })} />
      ))}
    </div>
  ),
}
