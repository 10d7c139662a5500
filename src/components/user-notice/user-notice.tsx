'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { jsonText } from '../json-text.ts'
import { classNames } from '../part.ts'

export interface UserNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly message: string
  readonly code?: string | number | undefined
  /** Where the agent says it comes from: `client`, `system`, `llm`, `tool`, `security`, … */
  readonly domain?: string | undefined
  readonly retryable?: boolean | undefined
  readonly details?: unknown
  /** Shown when the notice is retryable. */
  readonly onRetry?: (() => void) | undefined
}

/** The agent has something to tell the person and is well itself: a card, nothing red, not an error of the stream. */
export function UserNotice(props: UserNoticeProps): ReactNode {
  const { message, code, domain, retryable, details, onRetry, className, ...rest } = props
  const words = useDictionary().notice
  const facts = [code, domain].filter((fact) => fact !== undefined && fact !== '').join(' · ')
  return (
    <div role="note" {...rest} data-severity="NOTICE" data-domain={domain} className={classNames('cs-part cs-banner', className)}>
      <div className="cs-banner-grid">
        <Icon name="info" size={20} />
        <p className="cs-banner-words" dir="auto">
          {message}
        </p>
        {(facts || details !== undefined) && (
          <div className="cs-banner-text">
            <details className="cs-fold cs-error-details">
              <summary className="cs-fold-summary">
                {words.details}
                <Icon name="chevron" size={14} className="cs-chevron" />
              </summary>
              <div className="cs-fold-body">
                {facts && <p className="cs-code-id">{facts}</p>}
                {details !== undefined && (
                  <pre className="cs-json" tabIndex={0}>
                    {jsonText(details)}
                  </pre>
                )}
              </div>
            </details>
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
    </div>
  )
}
