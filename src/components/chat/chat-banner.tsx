'use client'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { useChatContext, useChatStatus } from '../../react/chat-context.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { BLINK_MS, isDown } from '../internals/reconnect-attempt.ts'
import { messageCodeOf, findByCode } from '../describe-error.ts'
import type { ErrorActions } from '../error-banner.tsx'
import { ErrorBanner } from '../error-banner.tsx'
import { focusLastMessage } from '../internals/keep-focus.ts'
import { isLiveStatus } from '../message/live-status.ts'
import { useLongerThan } from '../internals/use-longer-than.ts'

export interface ChatBannerProps {
  /** Your own controls by code: `{ rate_limited: <Upgrade /> }`. Absent: none. */
  readonly actions?: ErrorActions | undefined
  /** Adds "Sign in" where the session has ended. Absent: no button. */
  readonly onSignIn?: (() => void) | undefined
  /** Adds "Request access" where access is missing. Absent: no button. */
  readonly onRequestAccess?: (() => void) | undefined
}

/** Moves the focus to the last message: the banner is removed together with the button that had it. */
function toLastMessage(banner: Element | null): void {
  focusLastMessage(banner?.closest('.cs-chat'))
}

/** Whether the last message already shows the failure, and whether it has its own retry button. */
function lastEnding({ messages, error }: ChatSnapshot): 'told' | 'own-retry' | 'none' {
  const last = messages.at(-1)
  if (!error || !last || last.error === undefined) return 'none'
  if (last.status === 'incomplete' || last.status === 'failed') return error.severity === 'FATAL' ? 'own-retry' : 'told'
  return last.status === 'not-sent' ? 'own-retry' : 'none'
}

/**
 * Renders a `<div>`, an `ErrorBanner`: the failure of the whole chat, above the composer. It is not rendered when the
 * last message already shows the failure and the host adds no controls. It has no button when the message has the same
 * button. Reconnecting is not announced here; the `Announcer` does that.
 *
 * @example
 * ```tsx
 * import { ChatBanner, ChatDock, Composer } from 'capstan/components'
 *
 * export const Dock = () => (
 *   <ChatDock>
 *     <ChatBanner onSignIn={() => location.assign('/sign-in')} />
 *     <Composer />
 *   </ChatDock>
 * )
 * ```
 */
export function ChatBanner({ actions, onSignIn, onRequestAccess }: ChatBannerProps): ReactNode {
  const chat = useChatContext()
  const snapshot = useChatStatus()
  const { error, connection, messages } = snapshot
  const ending = lastEnding(snapshot)
  const requestId = messages.at(-1)?.requestId
  const shownInMessage = messages.some((message) => message.role === 'assistant' && isLiveStatus(message.status))
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const banner = useRef<HTMLDivElement>(null)
  const retry = (): void => {
    toLastMessage(banner.current)
    chat.retry().catch(() => {})
  }

  if (down && connection.error && !shownInMessage) {
    return (
      <ErrorBanner
        ref={banner}
        aria-live="off"
        error={connection.error}
        // During an attempt the banner and its button stay in place.
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
  if (!error || (ending === 'told' && findByCode(actions, error, messageCodeOf(error)) === undefined)) return null
  return (
    <ErrorBanner
      ref={banner}
      error={error}
      attempt={connection.requests}
      requestId={requestId}
      actions={actions}
      onRetry={ending === 'none' ? retry : undefined}
      onSignIn={onSignIn}
      onRequestAccess={onRequestAccess}
      onDismiss={() => {
        toLastMessage(banner.current)
        chat.clearError()
      }}
    />
  )
}
