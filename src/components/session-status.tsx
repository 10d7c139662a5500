'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import type { IconName } from './internals/icon.tsx'
import { StatusMark } from './internals/status-mark.tsx'
import { ErrorDetails } from './error-details.tsx'
import type { SessionPhase } from '../strings/jobs.ts'
import { useJobStrings } from './dictionary/job-strings-context.tsx'

/** The `data-*` attributes of `SessionStatus`. */
export const sessionStatusAttributes = {
  root: {
    selector: '.cs-session',
    attributes: {
      'data-phase': {
        values: [
          'idle',
          'opening',
          'challenged',
          'authenticating',
          'accepted',
          'refreshing',
          'reconnecting',
          'closing',
          'evicted',
          'rejected',
        ],
        meaning: 'Where the session is; `reconnecting` while its connection is lost',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof sessionStatusAttributes>

export interface SessionStatusProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Where the session is. */
  readonly phase: SessionPhase
  /** Name and version of the runtime, as plain text. Absent: not shown. */
  readonly runtime?: string | undefined
  /** What both sides can do, as plain text. @default [] */
  readonly capabilities?: readonly string[] | undefined
  /** Milliseconds until the session ends. Absent: it has no end of its own. */
  readonly remainingMs?: number | undefined
  /** Milliseconds until the next attempt, while it is reconnecting. Absent: not shown. */
  readonly retryInMs?: number | undefined
  /** Why it was refused or ended, as plain text. Absent: not shown. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
  /** Adds "Connect" while there is no session. Absent: no button. */
  readonly onConnect?: (() => void) | undefined
  /** Adds "Disconnect" while there is one. Absent: no button. */
  readonly onClose?: (() => void) | undefined
  /** Adds "Retry now" while it is reconnecting. Absent: no button. */
  readonly onRetry?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly phase: SessionPhase }> | undefined
}

const NO_CAPABILITIES: readonly string[] = []

const ICONS: Readonly<Record<SessionPhase, IconName>> = {
  idle: 'pending',
  opening: 'spin',
  challenged: 'lock',
  authenticating: 'lock',
  accepted: 'check',
  refreshing: 'lock',
  reconnecting: 'spin',
  closing: 'pending',
  evicted: 'alert',
  rejected: 'fatal',
}

/**
 * Renders a `<div>`: the session with a runtime as a glyph and words, with who the runtime is, and the ways to open and close it. The
 * state is a live region.
 *
 * @example
 * ```tsx
 * import { useArcpSession } from 'capstan/react'
 * import { SessionStatus } from 'capstan/components'
 *
 * export function Session() {
 *   const { phase, runtime, connect, close } = useArcpSession()
 *   return <SessionStatus phase={phase} runtime={runtime?.kind} onConnect={() => void connect()} onClose={close} />
 * }
 * ```
 */
export const SessionStatus = forwardRef<HTMLDivElement, SessionStatusProps>(
  function SessionStatus(props, ref): ReactNode {
    const { phase, runtime, capabilities = NO_CAPABILITIES, remainingMs, retryInMs, error, ...others } = props
    const { onConnect, onClose, onRetry, render, className, ...rest } = others
    const strings = useJobStrings()?.session
    if (strings === undefined) return null
    const isClosed = phase === 'idle' || phase === 'evicted' || phase === 'rejected'
    const content = (
      <>
        <StatusMark className="cs-session-phase" role="status" icon={ICONS[phase]}>
          {strings.phases[phase]}
        </StatusMark>
        {runtime !== undefined && <bdi className="cs-session-runtime">{capMarks(runtime)}</bdi>}
        {phase === 'reconnecting' && retryInMs !== undefined && (
          <span className="cs-dim cs-figures">{strings.retryIn(retryInMs)}</span>
        )}
        {!isClosed && phase !== 'reconnecting' && remainingMs !== undefined && (
          <span className="cs-dim cs-figures">{strings.endsIn(remainingMs)}</span>
        )}
        {error !== undefined && (
          <div className="cs-session-error">
            <span dir="auto">{capMarks(error.message)}</span>
            <ErrorDetails facts={[error.code]} />
          </div>
        )}
        {capabilities.length > 0 && (
          // `list-style: none` removes the list role in Safari; an explicit role keeps it.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          <ul role="list" className="cs-session-capabilities" aria-label={strings.capabilities}>
            {capabilities.map((capability) => (
              <li key={capability}>
                <bdi>{capMarks(capability)}</bdi>
              </li>
            ))}
          </ul>
        )}
        <span className="cs-session-actions">
          {isClosed && onConnect && button(strings.connect, onConnect)}
          {phase === 'reconnecting' && onRetry && button(strings.retry, onRetry)}
          {!isClosed && onClose && button(strings.close, onClose)}
        </span>
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          ...rest,
          className: classNames('cs-part cs-session', className),
          'data-phase': phase satisfies Attributes['data-phase'],
          children: content,
        }}
        state={{ phase }}
        rootRef={ref}
      />
    )
  },
)

function button(label: string, onPress: () => void): ReactNode {
  return (
    <button type="button" className="cs-button" data-kind="plain" data-size="small" onClick={onPress}>
      {label}
    </button>
  )
}
