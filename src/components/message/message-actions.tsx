'use client'

import {
  type ReactNode,
  type RefObject,
  memo,
  type ComponentProps,
  forwardRef,
  useImperativeHandle,
  useRef,
  type ComponentPropsWithoutRef,
} from 'react'
import type { ChatMessage } from '../../state/turn.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { MessageContext, useActionsOf } from './message-context.ts'
import { ClockTime } from '../internals/live-time.tsx'
import { isLiveStatus } from './live-status.ts'
import { type AttributesOf, classNames, type PartAttributes } from '../internals/part.ts'
import { collectCitations } from '../citation-block/collect-citations.ts'
import { sourceTitle } from '../citation-block/source-title.ts'
import { CopyButton } from '../internals/copy-button.tsx'
import { safeLink } from '../../base/safe-url.ts'
import { useMarkdown } from '../markdown-block/markdown-block.tsx'
import { useDraft } from '../composer/draft.ts'
import { openEditor } from '../composer/open-editor.ts'
import { IconButton, keepFocus } from '../internals/buttons.tsx'
import { useChatContext, useChatStatus } from '../../react/chat-context.ts'

/**
 * Renders a `<button>`: asks for the last answer again. Nothing, for other messages.
 *
 * @example
 * ```tsx
 * import { Chat, CopyAction, RetryAction } from 'capstan/components'
 *
 * const actions = <><RetryAction /><CopyAction /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export const RetryAction = forwardRef<HTMLButtonElement, MessageActionProps>(
  function RetryAction(props, ref): ReactNode {
    const { regenerate } = useDictionary().message
    const chat = useChatContext()
    const { message } = useActionsOf()
    return (
      useIsLastAnswer(message) && (
        <IconButton
          {...props}
          className={classNames('cs-part', props.className)}
          ref={ref}
          icon="retry"
          label={regenerate}
          onClick={(event) => {
            keepFocus(event)
            chat.regenerate(message.id).catch(() => {})
          }}
        />
      )
    )
  },
)

/**
 * Renders a `<button>`: opens what the user sent for another version. Nothing, for other messages.
 *
 * @example
 * ```tsx
 * import { Chat, CopyAction, EditAction } from 'capstan/components'
 *
 * const actions = <><EditAction /><CopyAction /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export const EditAction = forwardRef<HTMLButtonElement, MessageActionProps>(function EditAction(props, ref): ReactNode {
  const { edit } = useDictionary().message
  const { message, editRef } = useActionsOf()
  const draft = useDraft()
  const own = useRef<HTMLButtonElement>(null)
  const button = editRef ?? own
  // Null where there is no button, as a ref is.
  useImperativeHandle(ref, () => button.current as HTMLButtonElement)
  return (
    message.role === 'user' && (
      <IconButton
        {...props}
        className={classNames('cs-part', props.className)}
        ref={button}
        icon="edit"
        label={edit}
        onClick={() => openEditor(draft, message, false)}
      />
    )
  )
})

/**
 * Renders a `<button>`: copies the text of the message with its sources. Nothing, when the message has no text.
 *
 * @example
 * ```tsx
 * import { Chat, CopyAction, RetryAction } from 'capstan/components'
 *
 * const actions = <><CopyAction /><RetryAction /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export const CopyAction = forwardRef<HTMLButtonElement, MessageActionProps>(function CopyAction(props, ref): ReactNode {
  const { message } = useActionsOf()
  if (!hasText(message)) return false
  const Button = message.role === 'assistant' ? AnswerCopyButton : CopyButton
  return (
    <Button
      {...props}
      className={classNames('cs-part', props.className)}
      buttonRef={ref}
      text={() => copyText(message)}
    />
  )
})

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
 * The time, and Copy, Edit for the user's messages, Regenerate for the last answer, or the host's actions. Those of the last answer
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

/** Whether there is text to copy. */
function hasText({ parts }: ChatMessage): boolean {
  return parts.some(({ type }) => type === 'text' || type === 'markdown')
}

/** What a copy of the message holds: its text and markdown, a blank line between blocks, and the sources its marks name. */
function copyText({ parts }: ChatMessage): string {
  const blocks: string[] = []
  for (const part of parts) {
    if (part.type === 'text') blocks.push(part.text)
    if (part.type === 'markdown') blocks.push(part.content)
  }
  const sources = collectCitations(parts).map((citation, index) =>
    `[${index + 1}] ${sourceTitle(citation)} ${safeLink(citation.uri)?.href ?? ''}`.trim(),
  )
  return [...blocks, sources.join('\n')].join('\n\n').trim()
}

/** Answers are markdown, which documents and spreadsheets take as HTML. */
function AnswerCopyButton(props: ComponentProps<typeof CopyButton>): ReactNode {
  const { message } = useActionsOf()
  const { engine, renderers } = useMarkdown()
  return <CopyButton {...props} html={() => engine?.toHtml?.(message.parts, renderers?.math?.syntax)} />
}

/** Whether it is the last answer: regenerating an earlier one would drop the later messages. */
function useIsLastAnswer({ id, role }: ChatMessage): boolean {
  const isLast = useChatStatus(({ messages }) => messages.at(-1)?.id === id)
  return role === 'assistant' && isLast
}

/** Props of an action that is one button. */
export interface MessageActionProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'onClick'> {
  // What it does and what it is called are its own.
}

/** The `data-*` attributes of `Message`. */
export const messageAttributes = {
  root: {
    selector: '.cs-message',
    attributes: {
      'data-role': { values: ['user', 'assistant', 'system'], meaning: 'Who says it' },
      'data-status': {
        values: ['sending', 'sent', 'not-sent', 'pending', 'streaming', 'complete', 'incomplete', 'stopped', 'failed'],
        meaning: 'The [status of the message](hooks.md#what-are-the-statuses-of-a-message)',
      },
    },
  },
  actions: {
    selector: '.cs-actions',
    attributes: { 'data-last': { values: [''], meaning: 'It is the last answer, whose actions stay in view' } },
  },
} as const satisfies PartAttributes
