'use client'
import type { ComponentProps, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { ChatMessage } from '../../state/message.ts'
import { collectCitations } from '../citation-block/collect-citations.ts'
import { sourceTitle } from '../citation-block/source-title.ts'
import { CopyButton } from '../internals/clipboard/copy-button.tsx'
import { classNames } from '../internals/part.ts'
import { safeLink } from '../internals/safe-url.ts'
import { useMarkdown } from '../markdown-block/markdown-provider.tsx'
import type { MessageActionProps } from './message-action-props.ts'
import { useActionsOf } from './message-context.ts'

/** Whether there is text to copy. */
export function hasText({ parts }: ChatMessage): boolean {
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

/** Answers are markdown, which documents and spreadsheets take as HTML. */
function AnswerCopyButton(props: ComponentProps<typeof CopyButton>): ReactNode {
  const { message } = useActionsOf()
  const { engine, renderers } = useMarkdown()
  return <CopyButton {...props} html={() => engine?.toHtml?.(message.parts, renderers?.math?.syntax)} />
}
