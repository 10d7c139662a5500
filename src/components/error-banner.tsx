'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, useContext, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { AgentError } from '../base/agent-error.ts'
import { Countdown } from './internals/live-time.tsx'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { StatusGlyph } from './internals/status-mark.tsx'
import { IconButton } from './internals/buttons.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { WarningNote } from './warning-note.tsx'
import { messageCodeOf, describeError, findByCode, shorten, ErrorDetails } from './error-details.tsx'
import { useRetryNow } from './internals/reconnect-attempt.ts'
import { systemEnvironment } from '../base/ports/environment.ts'
import { AgentContext } from '../react/agent-provider.tsx'
import { useNow } from '../react/use-now.ts'

const TICK_MS = 100

/** Clock time at which each error was first shown: a banner that mounts again continues the same countdown. */
const firstShown = new WeakMap<AgentError, number>()

/**
 * Countdown of `retryAfterMs`: the same error with the time that is left, 0 once it has passed. Undefined when the error
 * names no time, or `active` is false.
 */
function useRetryAfter(error: AgentError, active: boolean): AgentError | undefined {
  const { clock } = useContext(AgentContext)?.client.environment ?? systemEnvironment
  const { retryAfterMs } = error
  const [elapsed, setElapsed] = useState<AgentError>()
  const now = useNow(active && retryAfterMs !== undefined && elapsed !== error, TICK_MS)
  if (!active || retryAfterMs === undefined) return undefined
  const since = firstShown.get(error) ?? clock.now()
  firstShown.set(error, since)
  // `now` is older than `since` where the error is newer than the last tick.
  const left = elapsed === error ? 0 : Math.max(0, Math.min(retryAfterMs, since + retryAfterMs - now))
  if (left === 0 && elapsed !== error) setElapsed(error)
  // An object whose prototype is the error has all that the error has, and its class.
  return Object.create(error, { retryAfterMs: { value: left, enumerable: true } }) as AgentError
}

const MOST_CHARACTERS = 500

/** Where the request went, and the beginning of what could not be read, each as text. */
function ErrorSource({ error: { details = {} } }: { readonly error: AgentError }): ReactNode {
  const strings = useDictionary().error
  const facts: readonly (readonly [label: string, value: unknown])[] = [
    [strings.address, details['url']],
    [strings.packet, details['raw']],
  ]
  return facts.map(([label, value]) =>
    typeof value === 'string' && value !== '' ? (
      <p key={label} className="cs-code-id">
        <span>{`${label}: `}</span>
        <bdi>{capMarks(shorten(value, MOST_CHARACTERS))}</bdi>
      </p>
    ) : null,
  )
}

/** The `data-*` attributes of `ErrorBanner`. */
export const errorBannerAttributes = {
  root: {
    selector: '.cs-banner',
    attributes: {
      'data-severity': {
        values: ['FATAL', 'TRANSIENT'],
        meaning: 'The severity of the error; one of WARNING is a `WarningNote`',
      },
      'data-code': { values: 'any', meaning: 'The [code of the error](errors.md)' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof errorBannerAttributes>

/** Controls of the host for errors it knows, under the agent's code (`agentCode`) or ours (`code`). A function is given the error. */
export type ErrorActions = Readonly<Record<string, ReactNode | ((error: AgentError) => ReactNode)>>

export interface ErrorBannerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What went wrong. Its severity decides between alert, status and note, its code the text. */
  readonly error: AgentError
  /**
   * Clock time (`Clock.now()`) of the next attempt: shows a countdown and makes the action "Retry now". 0: it is under
   * way. Absent: no countdown.
   */
  readonly nextRetryAt?: number | undefined
  /**
   * During a backoff: the number of the next attempt, from 1, shown with `maxAttempts`. After that: how many
   * requests were made, shown as "after 4 attempts". Absent: none.
   */
  readonly attempt?: number | undefined
  /** How many attempts there are before the run gives up. Absent: none. */
  readonly maxAttempts?: number | undefined
  /** Whether the agent has answered in this run. False: the countdown says that there is no connection yet, not that it reconnects. @default true */
  readonly hasOpened?: boolean | undefined
  /** Shown in the details, so that people can quote it. Absent: none. */
  readonly requestId?: string | undefined
  /** Your own controls by code, before capstan's own: `{ rate_limited: <Upgrade /> }`. Absent: none. */
  readonly actions?: ErrorActions | undefined
  /** Adds "Try again", or "Retry now" while the next attempt is waited for. Absent: no button. */
  readonly onRetry?: (() => void) | undefined
  /** Adds "Sign in" where the agent asks for it. Absent: no button. */
  readonly onSignIn?: (() => void) | undefined
  /** Adds "Request access" where access is missing. Absent: no button. */
  readonly onRequestAccess?: (() => void) | undefined
  /**
   * Adds a button that puts the banner away; without it the banner stays until the error is gone. Absent: no button.
   */
  readonly onDismiss?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly error: AgentError }> | undefined
}

/**
 * Renders a `<div>`: a failure as plain text, by severity. FATAL is an alert, TRANSIENT a status that counts down
 * without speaking every second, WARNING a note. The headline comes from the code (the dictionary's `errorMessages` and
 * `agentErrorMessages`); the text of the error is shown as text, with its code and request id, behind "Details".
 *
 * @example
 * ```tsx
 * import { ErrorBanner } from 'capstan/components'
 * import { useChatSelector } from 'capstan/react'
 *
 * export function Failure({ onRetry }: { onRetry: () => void }) {
 *   const error = useChatSelector((chat) => chat.error)
 *   return error && <ErrorBanner error={error} onRetry={onRetry} />
 * }
 * ```
 */
export const ErrorBanner = forwardRef<HTMLDivElement, ErrorBannerProps>(function ErrorBanner(props, ref): ReactNode {
  const {
    error,
    nextRetryAt,
    attempt,
    maxAttempts,
    hasOpened,
    requestId,
    actions,
    onRetry,
    onSignIn,
    onRequestAccess,
    onDismiss,
    render,
    className,
    ...rest
  } = props
  const dictionary = useDictionary()
  const strings = dictionary.error
  const { press, tooSoon } = useRetryNow(nextRetryAt, onRetry)
  const waiting = nextRetryAt !== undefined
  const counted = useRetryAfter(error, !waiting && messageCodeOf(error) === 'rate_limited')
  if (error.severity === 'WARNING')
    return <WarningNote ref={ref} error={error} onDismiss={onDismiss} render={render} className={className} {...rest} />

  const told = describeError(error, dictionary, waiting ? 0 : attempt)
  const own = findByCode(actions, error, messageCodeOf(error))
  const first =
    told.action === 'sign-in' && onSignIn
      ? { label: strings.signIn, kind: 'primary', run: onSignIn }
      : told.action === 'request-access' && onRequestAccess
        ? { label: strings.requestAccess, kind: 'plain', run: onRequestAccess }
        : onRetry && told.action !== 'none'
          ? { label: waiting ? dictionary.reconnection.retryNow : strings.tryAgain, kind: 'plain', run: press }
          : undefined

  return (
    <Root
      tag="div"
      render={render}
      root={{
        role: error.severity === 'FATAL' ? 'alert' : 'status',
        ...rest,
        className: classNames('cs-part cs-banner', className),
        'data-severity': error.severity satisfies Attributes['data-severity'],
        'data-code': error.code satisfies Attributes['data-code'],
        children: (
          <div className="cs-banner-grid">
            <StatusGlyph name={waiting ? 'spin' : told.icon} size={20} />
            <strong className="cs-banner-title">{told.title}</strong>
            <div className="cs-banner-text">
              {waiting ? (
                <p className="cs-figures">
                  <Countdown until={nextRetryAt} hasOpened={hasOpened} />
                  {attempt !== undefined && maxAttempts !== undefined && (
                    <span>{` · ${dictionary.reconnection.attempt(attempt, maxAttempts)}`}</span>
                  )}
                  <span role="status">{tooSoon && ` · ${dictionary.reconnection.tooSoon}`}</span>
                </p>
              ) : (
                <>
                  <p className="cs-figures" dir="auto">
                    <span className={counted && 'cs-hidden'}>{capMarks(told.text)}</span>
                    {counted && <span aria-hidden="true">{capMarks(describeError(counted, dictionary).text)}</span>}
                  </p>
                  <ErrorDetails
                    facts={[
                      error.agentCode ?? error.code,
                      error.status ? strings.status(error.status) : '',
                      requestId && strings.request(requestId),
                    ]}
                    said={error.message}
                  >
                    <ErrorSource error={error} />
                  </ErrorDetails>
                </>
              )}
            </div>
            {(first || own) && (
              <div className="cs-banner-actions">
                {typeof own === 'function' ? own(error) : own}
                {first && (
                  <button type="button" className="cs-button" data-kind={first.kind} onClick={first.run}>
                    {first.label}
                  </button>
                )}
              </div>
            )}
            {onDismiss && <IconButton icon="x" label={strings.dismiss} onClick={onDismiss} />}
          </div>
        ),
      }}
      state={{ error }}
      rootRef={ref}
    />
  )
})
