'use client'
import type { ReactNode } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { BLINK_MS, isDown } from '../internals/reconnect-attempt.ts'
import { codeOf, findByCode } from '../error-details/describe-error.ts'
import type { ErrorActions } from '../error-banner/error-banner.tsx'
import { ErrorBanner } from '../error-banner/error-banner.tsx'
import { isLive } from '../message/live-status.ts'
import { useLongerThan } from '../internals/use-longer-than.ts'

export interface ChatBannerProps {
  /** Your own controls by code: `{ rate_limited: <Upgrade /> }`. */
  readonly actions?: ErrorActions | undefined
  /** Adds "Sign in" where the session has ended. */
  readonly onSignIn?: (() => void) | undefined
  /** Adds "Request access" where access is missing. */
  readonly onRequestAccess?: (() => void) | undefined
}

/** The banner goes away with the button that was used in it: the keyboard goes on in the transcript. */
function toTranscript(): void {
  document.activeElement?.closest('.cs-chat')?.querySelector<HTMLElement>('.cs-list-view')?.focus({ preventScroll: true })
}

/** How the last message carries the failure itself, at the place where it happened. */
function lastEnding({ messages, error }: ChatSnapshot): 'told' | 'own-retry' | 'none' {
  const last = messages.at(-1)
  if (!error || !last || last.error === undefined) return 'none'
  if (last.status === 'incomplete' || last.status === 'failed') return error.severity === 'FATAL' ? 'own-retry' : 'told'
  return last.status === 'not-sent' ? 'own-retry' : 'none'
}

/**
 * The failure of the whole chat, above the composer. Left out where the last message says it already
 * and the host has nothing to add; without a button of its own where the message has the same one.
 * A line that is being tried again is not spoken from here: the `Announcer` does.
 */
export function ChatBanner({ actions, onSignIn, onRequestAccess }: ChatBannerProps): ReactNode {
  const chat = useChatContext()
  const error = useChatSelector((snapshot) => snapshot.error)
  const connection = useChatSelector((snapshot) => snapshot.connection)
  const ending = useChatSelector(lastEnding)
  const requestId = useChatSelector(({ messages }) => messages.at(-1)?.requestId)
  const shownInMessage = useChatSelector(({ messages }) => messages.some((message) => message.role === 'assistant' && isLive(message.status)))
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const retry = (): void => {
    toTranscript()
    chat.retry().catch(() => {})
  }

  if (down && connection.error && !shownInMessage) {
    return (
      <ErrorBanner
        aria-live="off"
        error={connection.error}
        // While an attempt is under way the banner stays as it is, its button in its place.
        nextRetryAt={connection.nextRetryAt ?? 0}
        attempt={connection.attempt}
        maxAttempts={connection.maxAttempts}
        hasOpened={connection.hasOpened}
        requestId={requestId}
        actions={actions}
        onRetry={retry}
      />
    )
  }
  if (!error || (ending === 'told' && findByCode(actions, error, codeOf(error)) === undefined)) return null
  return (
    <ErrorBanner
      error={error}
      attempt={connection.requests}
      requestId={requestId}
      actions={actions}
      onRetry={ending === 'none' ? retry : undefined}
      onSignIn={onSignIn}
      onRequestAccess={onRequestAccess}
      onDismiss={() => {
        toTranscript()
        chat.clearError()
      }}
    />
  )
}
