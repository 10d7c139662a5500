'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'

export interface EmptyStateProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'title' | 'onSelect'> {
  /** One question. */
  readonly title?: ReactNode
  /** Up to four; more are not shown. */
  readonly suggestions?: readonly string[] | undefined
  readonly onSelect?: ((suggestion: string) => void) | undefined
}

const MOST = 4

/** Before the first message: one question, and a few ways to begin. */
export function EmptyState({ title, suggestions = [], onSelect, className, ...rest }: EmptyStateProps): ReactNode {
  const words = useDictionary().chat
  return (
    <div {...rest} className={classNames('cs-part cs-empty', className)}>
      <h2 className="cs-empty-title">{title ?? words.emptyTitle}</h2>
      {suggestions.length > 0 && (
        // `list-style: none` takes the list role away in Safari; saying it keeps it.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        <ul role="list" className="cs-suggestions" aria-label={words.suggestions}>
          {suggestions.slice(0, MOST).map((suggestion) => (
            <li key={suggestion}>
              <button type="button" className="cs-suggestion" onClick={() => onSelect?.(suggestion)}>
                <span className="cs-grow">{suggestion}</span>
                <Icon name="right" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
