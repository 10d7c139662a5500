'use client'
import type { ReactNode } from 'react'
import { useChat } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { BLINK_MS, isDown } from '../connection-status/line-trouble.ts'
import { ErrorBanner } from '../error-banner/error-banner.tsx'
import { isLive } from '../message/live-status.ts'
import { useLongerThan } from '../use-longer-than.ts'

export interface ChatBannerProps {
  readonly onSignIn?: (() => void) | undefined
  readonly onRequestAccess?: (() => void) | undefined
}

/** How the last message carries the failure itself, at the place where it happened. */
function lastEnding({ messages, error }: ChatSnapshot): 'told' | 'own-retry' | 'none' {
  const last = messages.at(-1)
  if (!error || !last || last.error === undefined) return 'none'
  if (last.status === 'incomplete' || last.status === 'failed') return error.severity === 'FATAL' ? 'own-retry' : 'told'
  return last.status === 'not-sent' ? 'own-retry' : 'none'
}

/**
 * The failure of the whole chat, above the composer. Left out where the last message says it already;
 * without a button of its own where the message has the same one.
 */
export function ChatBanner({ onSignIn, onRequestAccess }: ChatBannerProps): ReactNode {
  const chat = useChat()
  const error = useChatSelector((snapshot) => snapshot.error)
  const connection = useChatSelector((snapshot) => snapshot.connection)
  const ending = useChatSelector(lastEnding)
  const requestId = useChatSelector(({ messages }) => messages.at(-1)?.requestId)
  const shownInMessage = useChatSelector(({ messages }) => messages.some((message) => message.role === 'assistant' && isLive(message.status)))
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const retry = (): void => void chat.retry().catch(() => {})

  if (down && connection.error && !shownInMessage) {
    return (
      <ErrorBanner
        error={connection.error}
        nextRetryAt={connection.nextRetryAt}
        attempt={connection.attempt}
        maxAttempts={connection.maxAttempts}
        requestId={requestId}
        onRetry={retry}
      />
    )
  }
  if (!error || ending === 'told') return null
  return (
    <ErrorBanner
      error={error}
      attempt={connection.attempt}
      requestId={requestId}
      onRetry={ending === 'own-retry' ? undefined : retry}
      onSignIn={onSignIn}
      onRequestAccess={onRequestAccess}
      onDismiss={() => chat.clearError()}
    />
  )
}
