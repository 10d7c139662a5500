'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { JsonView } from './data-block.tsx'
import { ErrorDetails } from './error-details.tsx'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { Icon } from './internals/icon.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'

/** The `data-*` attributes of `UserNotice`. */
export const userNoticeAttributes = {
  root: {
    selector: '.cs-banner',
    attributes: {
      'data-severity': { values: ['NOTICE'], meaning: 'Always this: it is no error' },
      'data-domain': { values: 'any', meaning: 'Where the agent says it comes from, such as `tool`' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof userNoticeAttributes>

export interface UserNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The agent's sentence, as plain text. */
  readonly message: string
  /** The agent's code for it, shown in the details. Absent: none. */
  readonly code?: string | number | undefined
  /** Where the agent says it comes from: `client`, `system`, `llm`, `tool`, `security`, …. Absent: none. */
  readonly domain?: string | undefined
  /** Whether trying again may help. @default false */
  readonly retryable?: boolean | undefined
  /** Anything more: a JSON value, folded with code and domain. Absent: none. */
  readonly details?: unknown
  /** Adds "Try again" to a notice that is retryable. Absent: no button. */
  readonly onRetry?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly retryable: boolean }> | undefined
}

/**
 * Renders a `<div>`: the agent has something to tell the user and is well itself, so nothing is red, and it is no
 * error of the stream.
 *
 * @example
 * ```tsx
 * import { UserNotice } from 'capstan/components'
 *
 * export function Notice() {
 *   return <UserNotice message="The gauge is being repaired." code={503} domain="tool" />
 * }
 * ```
 */
export const UserNotice = memo(
  forwardRef<HTMLDivElement, UserNoticeProps>(function UserNotice(props, ref): ReactNode {
    const { message, code, domain, retryable = false, details, onRetry, render, className, ...rest } = props
    const strings = useDictionary().notice
    const children = (
      <div className="cs-banner-grid">
        <Icon name="info" size={20} />
        <p className="cs-banner-words" dir="auto">
          {capMarks(message)}
        </p>
        {((code ?? '') !== '' || domain || details !== undefined) && (
          <div className="cs-banner-text">
            <ErrorDetails label={strings.details} facts={[code, domain]}>
              {details !== undefined && <JsonView value={details} />}
            </ErrorDetails>
          </div>
        )}
        {retryable && onRetry && (
          <div className="cs-banner-actions">
            <button type="button" className="cs-button" data-kind="plain" onClick={onRetry}>
              {strings.tryAgain}
            </button>
          </div>
        )}
      </div>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          role: 'note',
          ...rest,
          className: classNames('cs-part cs-banner', className),
          'data-severity': 'NOTICE' satisfies Attributes['data-severity'],
          'data-domain': domain satisfies Attributes['data-domain'],
          children,
        }}
        state={{ retryable }}
        rootRef={ref}
      />
    )
  }),
)
