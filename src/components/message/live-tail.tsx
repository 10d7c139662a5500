'use client'
import type { ReactNode } from 'react'
import { memo } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import { Countdown } from '../internals/countdown.tsx'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useRetryNow } from '../error-banner/use-retry-now.ts'
import { TypingIndicator } from '../typing-indicator/typing-indicator.tsx'
import { useLongerThan } from '../internals/use-longer-than.ts'
import { isDown, BLINK_MS } from '../internals/reconnect-attempt.ts'
import { Dot, MessageStatusRow } from '../internals/message-status-row.tsx'
import { StepButton } from '../internals/step-button.tsx'

/** The end of an answer that still grows: dots while it says nothing, and the connection's trouble where it is felt. */
export const LiveTail = memo(function LiveTail({ dots }: { readonly dots: boolean }): ReactNode {
  const strings = useDictionary().reconnection
  const chat = useChatContext()
  const connection = useChatSelector((snapshot) => snapshot.connection)
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const { press, tooSoon } = useRetryNow(connection.nextRetryAt, () => void chat.retry().catch(() => {}))
  const queued = useLongerThan(connection.phase === 'queued', BLINK_MS)

  if (connection.phase === 'offline') return <MessageStatusRow icon="offline">{strings.offline}</MessageStatusRow>
  if (connection.phase === 'paused') {
    return (
      <MessageStatusRow icon="clock">
        <b className="cs-strong">{strings.paused}</b>
        <Dot />
        <StepButton onPress={() => chat.resume()}>{strings.resume}</StepButton>
      </MessageStatusRow>
    )
  }
  if (queued) return <MessageStatusRow icon="clock">{strings.queued}</MessageStatusRow>
  if (!down) return dots ? <TypingIndicator /> : null
  return (
    <MessageStatusRow icon="spin" busy tone="caution">
      <Countdown until={connection.nextRetryAt} hasOpened={connection.hasOpened} />
      {connection.phase === 'waiting' && (
        <>
          <Dot />
          <StepButton onPress={press}>{strings.retryNow}</StepButton>
        </>
      )}
      <span role="status">{tooSoon && strings.tooSoon}</span>
    </MessageStatusRow>
  )
})
