'use client'
import type { ReactNode } from 'react'
import { useCallback, useRef, useState } from 'react'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import type { ChatMessage, MessagePart } from '../../state/conversation/message.ts'
import { focusLastMessage } from '../internals/keep-focus.ts'
import { messageById } from '../internals/message-by-id.ts'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'
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
  const element = useFocusOfRow(measure)
  const row = { ref: element, className: 'cs-row', 'data-index': index satisfies RowAttributes['data-index'] }
  return useIsSent(messageId) ? (
    // oxlint-disable-next-line react/no-danger -- it is empty
    <div key="sent" {...row} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING_NEW} />
  ) : (
    <div {...row}>{children}</div>
  )
}

/** The ref of a row, which hands the focus of its message to the newest one when it is removed: to the answer in its place. */
function useFocusOfRow(measure: RowWindow['measure'] | undefined): (element: HTMLDivElement | null) => void {
  const row = useRef<HTMLDivElement>(null)
  useBrowserLayoutEffect(() => {
    const list = row.current?.closest('.cs-list')
    return () => {
      if (!row.current?.querySelector(':scope > .cs-message:focus')) return
      // The answer in its place is on the page only after it has gone.
      queueMicrotask(() => focusLastMessage(list))
    }
  }, [])
  return useCallback(
    (element) => {
      row.current = element
      measure?.(element)
    },
    [measure],
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
