'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import { Countdown } from '../countdown.tsx'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'
import { WarningNote } from '../warning-note/warning-note.tsx'
import { describeError } from './describe-error.ts'
import { ErrorDetails } from './error-details.tsx'

export interface ErrorBannerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly error: AgentError
  /** Clock time of the next attempt: shows a countdown and makes the action "Retry now". */
  readonly nextRetryAt?: number | undefined
  readonly attempt?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly requestId?: string | undefined
  /** Absent: no "Try again". */
  readonly onRetry?: (() => void) | undefined
  /** Absent: an ended session is told without a button. */
  readonly onSignIn?: (() => void) | undefined
  readonly onRequestAccess?: (() => void) | undefined
  /** Absent: the banner stays until the error is gone. */
  readonly onDismiss?: (() => void) | undefined
  readonly render?: RenderRoot<{ readonly error: AgentError }>
}

/**
 * A failure in plain words, by severity: FATAL is an alert, TRANSIENT a status that counts down
 * without speaking every second, WARNING a note. The headline comes from the code; what the server
 * said is shown as text, its code and request id behind "Details". `data-severity`, `data-code`.
 */
export function ErrorBanner(props: ErrorBannerProps): ReactNode {
  const { error, nextRetryAt, attempt, maxAttempts, requestId, onRetry, onSignIn, onRequestAccess, onDismiss, render, className, ...rest } = props
  const dictionary = useDictionary()
  const words = dictionary.error
  if (error.severity === 'WARNING') return <WarningNote error={error} onDismiss={onDismiss} className={className} {...rest} />

  const fatal = error.severity === 'FATAL'
  const waiting = nextRetryAt !== undefined
  const told = describeError(error, dictionary, attempt)
  const first =
    told.action === 'sign-in' && onSignIn
      ? { label: words.signIn, kind: 'primary', run: onSignIn }
      : told.action === 'request-access' && onRequestAccess
        ? { label: words.requestAccess, kind: 'plain', run: onRequestAccess }
        : onRetry && told.action !== 'none'
          ? { label: waiting ? dictionary.line.retryNow : words.tryAgain, kind: 'plain', run: onRetry }
          : undefined

  return renderRoot(
    'div',
    render,
    {
      role: fatal ? 'alert' : 'status',
      ...rest,
      className: classNames('cs-part cs-banner', className),
      'data-severity': error.severity,
      'data-code': error.code,
      children: (
        <div className="cs-banner-grid">
          <Icon name={waiting ? 'spin' : told.icon} size={20} className={waiting ? 'cs-spin' : undefined} />
          <strong className="cs-banner-title">{told.title}</strong>
          <div className="cs-banner-text">
            {waiting ? (
              <p className="cs-figures">
                <Countdown until={nextRetryAt} />
                {attempt !== undefined && maxAttempts !== undefined && ` · ${dictionary.line.attempt(attempt, maxAttempts)}`}
              </p>
            ) : (
              <p className="cs-banner-said" dir="auto">
                {told.text}
              </p>
            )}
            <ErrorDetails error={error} requestId={requestId} />
          </div>
          {(first || onDismiss) && (
            <div className="cs-banner-actions">
              {first && (
                <button type="button" className="cs-button" data-kind={first.kind} onClick={first.run}>
                  {first.label}
                </button>
              )}
              {onDismiss && (
                <button type="button" className="cs-icon-button" data-size="small" aria-label={words.dismiss} onClick={onDismiss}>
                  <Icon name="x" />
                </button>
              )}
            </div>
          )}
        </div>
      ),
    },
    { error },
  )
}
