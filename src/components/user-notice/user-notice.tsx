'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { JsonView } from '../json-view/json-view.tsx'
import { ErrorDetails } from '../error-details/error-details.tsx'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface UserNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The agent's sentence, as plain text. */
  readonly message: string
  /** The agent's code for it, shown in the details. */
  readonly code?: string | number | undefined
  /** Where the agent says it comes from: `client`, `system`, `llm`, `tool`, `security`, … */
  readonly domain?: string | undefined
  /** Whether trying again may help. */
  readonly retryable?: boolean | undefined
  /** Anything more: a JSON value, folded with code and domain. */
  readonly details?: unknown
  /** Adds "Try again" to a notice that is retryable. */
  readonly onRetry?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. */
  readonly render?: RenderRoot<{ readonly retryable: boolean }> | undefined
}

/**
 * The agent has something to tell the person and is well itself: a card, nothing red, not an error of the stream.
 * `data-domain`.
 */
export const UserNotice = memo(forwardRef<HTMLDivElement, UserNoticeProps>(function UserNotice(props, ref): ReactNode {
  const { message, code, domain, retryable = false, details, onRetry, render, className, ...rest } = props
  const words = useDictionary().notice
  const children = (
    <div className="cs-banner-grid">
      <Icon name="info" size={20} />
      <p className="cs-banner-words" dir="auto">
        {capMarks(message)}
      </p>
      {((code ?? '') !== '' || domain || details !== undefined) && (
        <div className="cs-banner-text">
          <ErrorDetails label={words.details} facts={[code, domain]}>
            {details !== undefined && <JsonView value={details} />}
          </ErrorDetails>
        </div>
      )}
      {retryable && onRetry && (
        <div className="cs-banner-actions">
          <button type="button" className="cs-button" data-kind="plain" onClick={onRetry}>
            {words.tryAgain}
          </button>
        </div>
      )}
    </div>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{ role: 'note', ...rest, className: classNames('cs-part cs-banner', className), 'data-severity': 'NOTICE', 'data-domain': domain, children }}
      state={{ retryable }}
      rootRef={ref}
    />
  )
}))
