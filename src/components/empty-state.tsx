'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, useContext } from 'react'
import { ChatContext } from '../react/chat-context.ts'
import { DraftContext, draftOf } from './composer/draft.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { Icon } from './internals/icon.tsx'
import type { RenderRoot } from './internals/part.ts'
import { classNames, Root } from './internals/part.ts'

/** One way to begin: the words that are sent, or with them a shorter label and your own glyph. */
export type Suggestion =
  | string
  | {
      /** What is sent. */
      readonly text: string
      /** What is shown, if it is something else. @default `text` */
      readonly label?: ReactNode
      /** Shown before it; decoration. Absent: none. */
      readonly icon?: ReactNode
    }

export interface EmptyStateProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'title' | 'onSelect'> {
  /** One question. @default from the dictionary */
  readonly title?: ReactNode
  /** Up to four; more are not shown. @default [] */
  readonly suggestions?: readonly Suggestion[] | undefined
  /**
   * Called with the text of the suggestion that was chosen. The default sends it to the chat around, and puts the
   * keyboard into the composer.
   *
   * @default sends it
   */
  readonly onSelect?: ((text: string) => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

const MOST = 4

/**
 * Renders a `<div>` for the time before the first message: one question, and a few ways to begin.
 *
 * @example
 * ```tsx
 * import { EmptyState, MessageList } from 'capstan/components'
 *
 * const start = <EmptyState title="What about rivers?" suggestions={['Why do rivers meander?']} />
 * export const Transcript = () => <MessageList empty={start} />
 * ```
 */
export const EmptyState = forwardRef<HTMLDivElement, EmptyStateProps>(function EmptyState(
  { title, suggestions = [], onSelect, render, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().chat
  const chat = useContext(ChatContext)
  const around = useContext(DraftContext)
  const send = (text: string): void => {
    if (chat === null) return
    const draft = around ?? draftOf(chat)
    draft.send(chat, text)
    draft.edit('')
  }
  const children = (
    <>
      <h2 className="cs-empty-title">
        <bdi>{title ?? strings.emptyTitle}</bdi>
      </h2>
      {suggestions.length > 0 && (
        // `list-style: none` removes the list role in Safari; an explicit role keeps it.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        <ul role="list" className="cs-suggestions" aria-label={strings.suggestions}>
          {suggestions.slice(0, MOST).map((suggestion) => {
            const { text, label = text, icon } = typeof suggestion === 'string' ? { text: suggestion } : suggestion
            return (
              <li key={text}>
                <button type="button" className="cs-suggestion" onClick={() => (onSelect ?? send)(text)}>
                  {icon}
                  <span className="cs-grow">
                    <bdi>{label}</bdi>
                  </span>
                  <Icon name="right" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{ ...rest, className: classNames('cs-part cs-empty', className), children }}
      state={undefined}
      rootRef={ref}
    />
  )
})
