'use client'
import type { ReactNode, Ref } from 'react'
import { memo } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { Message } from '../../state/conversation/message.ts'
import { collectCitations } from '../citation-block/collect-citations.ts'
import { sourceTitle } from '../citation-block/source-title.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import { safeLink } from '../internals/safe-url.ts'
import { ClockTime } from './clock-time.tsx'
import { CopyButton } from '../internals/copy-button.tsx'
import { keepFocus } from '../internals/keep-focus.ts'
import { isLive } from './live-status.ts'
import type { RenderMessageActions } from './render-message-actions.ts'

/** What a copy of the message holds: its text and markdown, a blank line between blocks, and the sources its marks name. */
function copyText(message: Message): string {
  const blocks: string[] = []
  for (const part of message.parts) {
    if (part.type === 'text') blocks.push(part.text)
    if (part.type === 'markdown') blocks.push(part.content)
  }
  const sources = collectCitations(message.parts).map((citation, index) =>
    `[${index + 1}] ${sourceTitle(citation)} ${safeLink(citation.uri)?.href ?? ''}`.trim(),
  )
  return [...blocks, sources.join('\n')].join('\n\n').trim()
}

interface MessageActionsProps {
  readonly message: Message
  /** Controls of the host, behind those of the kit. */
  readonly messageActions: RenderMessageActions | undefined
  /** Opens the message for another version. Absent: it cannot be edited. */
  readonly onEdit?: (() => void) | undefined
  readonly editRef?: Ref<HTMLButtonElement> | undefined
}

/**
 * The actions of a message. Where those of the host cannot be shown, those of the kit still are. While an answer grows there are
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
  (before, now) => before.message.id === now.message.id && isLive(before.message.status) && isLive(now.message.status),
)

/**
 * Copy, for what the user said Edit, for the last answer Regenerate, then those of the host. They appear on hover and
 * focus; their space is there from the first frame, so their coming moves nothing.
 */
function ActionRow({ message, messageActions, onEdit, editRef }: MessageActionsProps): ReactNode {
  const strings = useDictionary().message
  const chat = useChatContext()
  const last = useChatSelector((snapshot) => snapshot.messages.at(-1)?.id === message.id)
  const hasText = message.parts.some((part) => part.type === 'text' || part.type === 'markdown')
  const regenerates = message.role === 'assistant' && last
  const ended = !isLive(message.status)
  const own = ended && messageActions?.(message)
  const hasOwn = own !== undefined && own !== null && typeof own !== 'boolean'
  const ready = ended && (hasText || regenerates || hasOwn)
  return (
    <div className="cs-actions" {...(ready ? { role: 'group', 'aria-label': strings.actions } : {})}>
      {ready && message.role === 'user' && message.createdAt !== undefined && <ClockTime at={message.createdAt} />}
      {ready && hasText && <CopyButton text={() => copyText(message)} />}
      {ready && onEdit && <IconButton ref={editRef} icon="edit" label={strings.edit} onClick={onEdit} />}
      {ready && regenerates && (
        <IconButton
          icon="retry"
          label={strings.regenerate}
          onClick={(event) => {
            keepFocus(event)
            chat.regenerate(message.id).catch(() => {})
          }}
        />
      )}
      {own}
      {ready && message.role === 'assistant' && message.endedAt !== undefined && <ClockTime at={message.endedAt} />}
    </div>
  )
}
