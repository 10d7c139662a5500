'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  forwardRef,
  useId,
  useRef,
  type Ref,
  useState,
  useEffect,
} from 'react'
import { shorten } from './error-details.tsx'
import { useFocusHandover } from './prompt-dock.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { Icon } from './internals/icon.tsx'
import { usePromptStrings, PromptStringsProvider } from './dictionary/prompt-strings-context.tsx'
import { literalLabel, LiteralText } from './literal-value.tsx'
import { capMarks } from '../base/cap-marks.ts'
import { useChatContext } from '../react/chat-context.ts'
import { type LeaseControls, useLeases } from '../react/use-leases.ts'
import type { Lease } from '../seam/lease.ts'
import type { LeaseResult } from '../state/chat-options.ts'
import { findLease } from '../state/run.ts'
import type { PromptStrings } from '../strings/prompts.ts'

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
  /** What it may be used on. Absent: not shown. */
  readonly resource?: string | undefined
  /** What it allows, in the agent's words. Absent: not shown. */
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

export interface LeaseListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** How much "Extend" asks for, in milliseconds. @default 900_000 */
  readonly extendMs?: number | undefined
  /** Words in another language. @default those of the dictionary's language */
  readonly strings?: PromptStrings | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly count: number }> | undefined
}

/**
 * Renders a `<div>`: a `LeaseBadge` for each thing that the user has allowed the agent of a chat for a time, and a live region that
 * tells when one has ended. `<Chat>` shows it below its header.
 *
 * @example
 * ```tsx
 * import { Chat, Composer, MessageList, LeaseList } from 'capstan/components'
 *
 * export const Desk = () => (
 *   <Chat>
 *     <LeaseList />
 *     <MessageList />
 *     <Composer />
 *   </Chat>
 * )
 * ```
 */
export const LeaseList = forwardRef<HTMLDivElement, LeaseListProps>(function LeaseList(
  { strings, ...props },
  ref,
): ReactNode {
  return (
    <PromptStringsProvider strings={strings}>
      <List {...props} listRef={ref} />
    </PromptStringsProvider>
  )
})

function List({
  extendMs = QUARTER_MS,
  render,
  className,
  listRef,
  ...rest
}: Omit<LeaseListProps, 'strings'> & { readonly listRef: Ref<HTMLDivElement> }): ReactNode {
  const strings = usePromptStrings().lease
  const leases = useLeases()
  const ended = useEndedLease(leases)
  const content = (
    <>
      {leases.length > 0 && (
        <ul className="cs-lease-rows" aria-label={strings.label}>
          {leases.map((controls) => (
            <Row key={controls.id} controls={controls} extendMs={extendMs} />
          ))}
        </ul>
      )}
      <p className="cs-hidden" role="status">
        {ended && strings.traces[ended.state](leaseName(ended))}
      </p>
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{ ...rest, className: classNames('cs-part cs-lease-list', className), children: content }}
      state={{ count: leases.length }}
      rootRef={listRef}
    />
  )
}

/** Message about a settled change; undefined if the lease itself shows it. */
function statusOf({ status }: LeaseResult): LeaseBadgeStatus | undefined {
  if (status === 'unconfirmed') return 'unconfirmed'
  return status === 'refused' || status === 'invalid' ? 'refused' : undefined
}

function Row({
  controls: { lease, remainingMs, extend, revoke },
  extendMs,
}: {
  readonly controls: LeaseControls
  readonly extendMs: number
}): ReactNode {
  const [status, setStatus] = useState<LeaseBadgeStatus>()
  const change = async (asked: Promise<LeaseResult>): Promise<void> => {
    setStatus('changing')
    setStatus(statusOf(await asked))
  }
  return (
    <li>
      <LeaseBadge
        name={lease.name}
        resource={lease.resource}
        grants={lease.grants}
        remainingMs={remainingMs}
        extendMs={extendMs}
        status={status}
        onExtend={extend && (() => void change(extend(extendMs)))}
        onRevoke={revoke && (() => void change(revoke()))}
      />
    </li>
  )
}

/** A lease in the transcript: a row without controls that says its state. */
export function LeaseTrace({ lease }: { readonly lease: Lease }): ReactNode {
  return (
    <div className="cs-part cs-prompt-trace">
      <Icon name={lease.state === 'active' ? 'check' : lease.state === 'expired' ? 'clock' : 'x'} />
      <PromptStringsProvider>
        <Words lease={lease} />
      </PromptStringsProvider>
    </div>
  )
}

function Words({ lease }: { readonly lease: Lease }): ReactNode {
  const strings = usePromptStrings().lease
  return (
    <p className="cs-prompt-trace-words" dir="auto">
      {strings.traces[lease.state](leaseName(lease))}
    </p>
  )
}

const LONGEST_LIVE_NAME = 80

/** What is allowed, in a sentence of the app. */
function leaseName({ name, resource }: Pick<Lease, 'name' | 'resource'>): string {
  return capMarks(shorten(resource === undefined ? name : `${name} ${resource}`, LONGEST_LIVE_NAME))
}

/** The lease that has ended last. Undefined: none has since this is shown. */
function useEndedLease(leases: readonly LeaseControls[]): Lease | undefined {
  const chat = useChatContext()
  const before = useRef(leases)
  const [ended, setEnded] = useState<Lease>()
  useEffect(() => {
    const gone = before.current.find(({ id }) => leases.every((lease) => lease.id !== id))
    before.current = leases
    if (gone === undefined) return
    const { lease } = findLease(chat.getSnapshot().messages, gone.id) ?? gone
    // Its time had expired, and its answer has ended without a word about it.
    setEnded(lease.state === 'active' ? { ...lease, state: 'expired' } : lease)
  }, [chat, leases])
  return ended
}
