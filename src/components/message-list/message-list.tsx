'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, useEffect, useRef } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Message } from '../message/message.tsx'
import type { RenderPart } from '../message/render-part.ts'
import { classNames } from '../part.ts'
import { sameItems } from '../same-items.ts'
import { JumpButton } from './jump-button.tsx'
import { ReadingContext } from './reading-context.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

export interface MessageListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Shows a whole message in your own way. Default: `Message`. Keep the function stable. */
  readonly renderMessage?: ((messageId: string) => ReactNode) | undefined
  readonly renderPart?: RenderPart | undefined
  /** What stands there before the first message. */
  readonly empty?: ReactNode
}

const messageIds = ({ messages }: ChatSnapshot): readonly string[] => messages.map(({ id }) => id)

/** The last message the person sent: a new one brings the reader back to the end. */
const lastOwnId = ({ messages }: ChatSnapshot): string | undefined => messages.findLast(({ role }) => role === 'user')?.id

/**
 * The transcript: a log that is not read out token by token. Follows at the live edge (48 px), holds its
 * place otherwise and offers the way back. Renders when messages come or go, not when they grow.
 * `data-at-end`.
 */
export const MessageList = forwardRef<HTMLDivElement, MessageListProps>(function MessageList(props, ref): ReactNode {
  const { renderMessage, renderPart, empty, className, ...rest } = props
  const words = useDictionary().chat
  const ids = useChatSelector(messageIds, { isEqual: sameItems })
  const ownId = useChatSelector(lastOwnId)
  const { view, content, atEnd, toEnd, reading } = useStickToEnd()

  const shownId = useRef(ownId)
  useEffect(() => {
    if (ownId !== undefined && ownId !== shownId.current) toEnd()
    shownId.current = ownId
  }, [ownId, toEnd])

  const jump = (): void => {
    toEnd()
    // The button goes away with its purpose; the keyboard goes on in the transcript.
    view.current?.focus({ preventScroll: true })
  }
  return (
    <div {...rest} ref={ref} className={classNames('cs-part cs-list', className)} data-at-end={atEnd ? '' : undefined}>
      <div ref={view} className="cs-list-view" role="region" aria-label={words.transcript} tabIndex={0}>
        <ReadingContext.Provider value={reading}>
          <div ref={content} className="cs-column">
            {ids.length === 0 && empty}
            <div className="cs-log" role="log" aria-label={words.conversation} aria-live="off">
              {ids.map((id) => renderMessage?.(id) ?? <Message key={id} messageId={id} renderPart={renderPart} />)}
            </div>
          </div>
        </ReadingContext.Provider>
      </div>
      {!atEnd && <JumpButton onJump={jump} />}
    </div>
  )
})
