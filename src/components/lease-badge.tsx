'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, useId, useRef } from 'react'
import { shorten } from './describe-error.ts'
import { useFocusHandover } from './use-focus-handover.ts'
import type { AttributesOf, PartAttributes } from './internals/attributes/part-attributes.ts'
import { Icon } from './internals/icon.tsx'
import type { RenderRoot } from './internals/part.ts'
import { classNames, Root } from './internals/part.ts'
import { usePromptStrings } from './dictionary/prompt-strings-context.tsx'
import { literalLabel } from './literal-value/literal-pieces.ts'
import { LiteralText } from './literal-value/literal-value.tsx'

/** The `data-*` attributes of `LeaseBadge`. */
export const leaseBadgeAttributes = {
  root: {
    selector: '.cs-lease',
    attributes: {
      'data-tone': { values: ['caution'], meaning: 'When less than a minute is left' },
      'data-status': {
        values: ['changing', 'unconfirmed', 'refused'],
        meaning: 'State of the last change of the user; absent when there is nothing to say',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof leaseBadgeAttributes>

/** State of a change that the user wants. */
export type LeaseBadgeStatus = NonNullable<Attributes['data-status']>

export interface LeaseBadgeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'resource'> {
  /** Name of what is allowed. */
  readonly name: string
  /** What it may be used on. Absent: not said. */
  readonly resource?: string | undefined
  /** What it allows, in the agent's words. Absent: not said. */
  readonly grants?: string | undefined
  /** Milliseconds until it ends. Absent: it has no time limit. */
  readonly remainingMs?: number | undefined
  /** The user wants `extendMs` more. Absent: no button. */
  readonly onExtend?: (() => void) | undefined
  /** How much "Extend" asks for, in milliseconds. @default 900_000 */
  readonly extendMs?: number | undefined
  /** The user takes it back. Absent: no button. */
  readonly onRevoke?: (() => void) | undefined
  /** State of the last change. Absent: there is nothing to say. */
  readonly status?: LeaseBadgeStatus | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: LeaseBadgeStatus | undefined }> | undefined
}

const LONGEST_NAME = 120
const LONGEST_GRANTS = 300
const QUARTER_MS = 900_000
const SOON_MS = 60_000

/**
 * Renders a `<div>`: one row for something that the user has allowed for a time, with what is left of it, and the ways to extend it
 * and to take it back. All words of the agent are plain text, with hidden characters made visible.
 *
 * @example
 * ```tsx
 * import { LeaseBadge } from 'capstan/components'
 *
 * export const Writing = ({ left, revoke }: { left: number; revoke: () => void }) => (
 *   <LeaseBadge name="fs.write" resource="/reports" remainingMs={left} onRevoke={revoke} />
 * )
 * ```
 */
export const LeaseBadge = forwardRef<HTMLDivElement, LeaseBadgeProps>(function LeaseBadge(
  {
    name,
    resource,
    grants,
    remainingMs,
    onExtend,
    extendMs = QUARTER_MS,
    onRevoke,
    status,
    render,
    className,
    ...rest
  },
  ref,
): ReactNode {
  const strings = usePromptStrings()
  const { lease } = strings
  const nameId = useId()
  const isChanging = status === 'changing'
  const button = (label: string, onPress: () => void): ReactNode => (
    <LeaseButton
      aria-describedby={nameId}
      aria-disabled={isChanging || undefined}
      onClick={() => {
        if (!isChanging) onPress()
      }}
    >
      {label}
    </LeaseButton>
  )
  const content = (
    <>
      <Icon>
        <path d="M9.25 12.75a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0M8.5 10.75 15.25 4M12.5 6.75l2.25 2.25" />
      </Icon>
      <span id={nameId} className="cs-lease-words">
        <bdi className="cs-lease-name">{`${literalLabel(name, LONGEST_NAME)} `}</bdi>
        {resource !== undefined && <bdi className="cs-lease-resource">{literalLabel(resource, LONGEST_NAME)}</bdi>}
        {grants !== undefined && (
          <span className="cs-lease-grants" dir="auto">
            <LiteralText text={shorten(grants, LONGEST_GRANTS)} />
          </span>
        )}
      </span>
      <span className="cs-lease-time" role="timer">
        {remainingMs === undefined
          ? lease.noLimit
          : remainingMs > 0
            ? strings.card.timeLeft(remainingMs)
            : lease.timeOver}
      </span>
      {(onExtend || onRevoke) && (
        <span className="cs-lease-actions">
          {onExtend && button(lease.extend(extendMs), onExtend)}
          {onRevoke && button(lease.revoke, onRevoke)}
        </span>
      )}
      <span className="cs-lease-status" role="status">
        {status !== undefined && lease.states[status]}
      </span>
    </>
  )
  const attributes: Attributes = {
    'data-tone': remainingMs !== undefined && remainingMs < SOON_MS ? 'caution' : undefined,
    'data-status': status,
  }
  return (
    <Root
      tag="div"
      render={render}
      root={{ ...rest, ...attributes, className: classNames('cs-part cs-lease', className), children: content }}
      state={{ status }}
      rootRef={ref}
    />
  )
})

function LeaseButton(props: ComponentPropsWithoutRef<'button'>): ReactNode {
  const ref = useRef<HTMLButtonElement>(null)
  // It goes with its lease, or with the job that needs no more time.
  useFocusHandover(ref, '.cs-lease .cs-button, .cs-composer-text')
  return <button ref={ref} type="button" className="cs-button" data-kind="plain" {...props} />
}
