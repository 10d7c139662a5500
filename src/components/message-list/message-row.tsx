'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { ChatMessage, MessagePart } from '../../state/conversation/message.ts'
import { messageById } from '../internals/message-by-id.ts'
import { useHydrated } from '../internals/use-hydrated.ts'
import { usePartLoading } from '../message/part-loading.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { messageListAttributes } from './message-list-attributes.ts'
import type { RowWindow } from './row-window.ts'

type RowAttributes = AttributesOf<typeof messageListAttributes, 'rows'>

interface MessageRowProps {
  readonly messageId: string
  /** Where it is in a log that is not all on the page, and what measures it there. */
  readonly index: number | undefined
  readonly measure: RowWindow['measure'] | undefined
  readonly children: ReactNode
}

/**
 * The row of a message. Where a server has sent it, it stays as it was sent until the code of its parts is here: React would
 * take them away when anything around them changes before, for it cannot hydrate what it has no code of.
 */
export function MessageRow({ messageId, index, measure, children }: MessageRowProps): ReactNode {
  const row = { ref: measure, className: 'cs-row', 'data-index': index satisfies RowAttributes['data-index'] }
  return useIsSent(messageId) ? (
    // oxlint-disable-next-line react/no-danger -- it is empty
    <div key="sent" {...row} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING_NEW} />
  ) : (
    <div {...row}>{children}</div>
  )
}

/** React keeps what is inside of such an element when it hydrates. */
const NOTHING_NEW = { __html: '' }

/** What is shown by code that is at hand. */
const AT_HAND: ReadonlySet<MessagePart['type']> = new Set(['text', 'gap', 'markdown', 'state', 'warning'])

function useIsSent(messageId: string): boolean {
  const isHydrated = useHydrated()
  const isLoading = usePartLoading() === 'loading'
  const [mayBeSent] = useState(!isHydrated && isLoading)
  const message = useChatSelector(({ messages }) => (mayBeSent ? messageById(messages, messageId) : undefined))
  // Once it changes, or the code cannot be had, what there is to say of it counts more.
  const [sent] = useState(message)
  return isLoading && message !== undefined && message === sent && !isAtHand(message)
}

function isAtHand({ parts }: ChatMessage): boolean {
  return parts.every(({ type }) => AT_HAND.has(type))
}
