'use client'
import type { ReactNode, RefObject } from 'react'
import { memo } from 'react'
import type { ChatMessage } from '../../state/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { CopyAction, hasText } from '../message-actions/copy-action.tsx'
import { EditAction } from '../message-actions/edit-action.tsx'
import { MessageContext } from '../message-actions/message-context.ts'
import { RetryAction, useIsLastAnswer } from '../message-actions/retry-action.tsx'
import { ClockTime } from './clock-time.tsx'
import { isLiveStatus } from './live-status.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { messageAttributes } from './message-attributes.ts'

type ActionAttributes = AttributesOf<typeof messageAttributes, 'actions'>

interface MessageActionsProps {
  readonly message: ChatMessage
  /** Controls of the host, in place of capstan's own. */
  readonly messageActions: ReactNode
  readonly editRef?: RefObject<HTMLButtonElement | null> | undefined
}

const DEFAULT = (
  <>
    <CopyAction />
    <EditAction />
    <RetryAction />
  </>
)

/**
 * The actions of a message. Where those of the host cannot be shown, capstan's are. While an answer grows there are
 * none, whatever it says.
 */
export const MessageActions = memo(
  function MessageActions(props: MessageActionsProps): ReactNode {
    const { message, messageActions } = props
    return (
      <ErrorBoundary
        resetKeys={[message.status, messageActions]}
        fallback={<ActionRow {...props} messageActions={undefined} />}
      >
        <ActionRow {...props} />
      </ErrorBoundary>
    )
  },
  (before, now) =>
    before.message.id === now.message.id && isLiveStatus(before.message.status) && isLiveStatus(now.message.status),
)

/**
 * The time, and Copy, for what the user said Edit, for the last answer Regenerate, or those of the host. Those of the last answer
 * stay in view, all others appear on hover and focus; their space is there from the first frame, so their coming moves nothing.
 */
function ActionRow({ message, messageActions, editRef }: MessageActionsProps): ReactNode {
  const strings = useDictionary().message
  const isLast = useIsLastAnswer(message)
  const isEmpty =
    messageActions === undefined
      ? !hasText(message) && !isLast
      : messageActions === null || typeof messageActions === 'boolean'
  const ready = !isLiveStatus(message.status) && !isEmpty
  const { role, createdAt, endedAt } = message
  return (
    <div
      className="cs-actions"
      data-last={(isLast ? '' : undefined) satisfies ActionAttributes['data-last']}
      {...(ready ? { role: 'group', 'aria-label': strings.actions } : {})}
    >
      {ready && (
        <MessageContext.Provider value={{ message, editRef }}>
          {role === 'user' && createdAt !== undefined && <ClockTime at={createdAt} />}
          {messageActions ?? DEFAULT}
          {role === 'assistant' && endedAt !== undefined && <ClockTime at={endedAt} />}
        </MessageContext.Provider>
      )}
    </div>
  )
}
