'use client'
import type { ComponentPropsWithoutRef, ReactNode, Ref } from 'react'
import { forwardRef, useState, useEffect, useRef } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useChatContext } from '../react/chat-context.ts'
import type { LeaseControls } from '../react/use-leases.ts'
import { useLeases } from '../react/use-leases.ts'
import type { Lease } from '../seam/lease.ts'
import type { LeaseResult } from '../state/chat-options.ts'
import { findLease } from '../state/leases.ts'
import { shorten } from './describe-error.ts'
import { Icon } from './internals/icon.tsx'
import type { RenderRoot } from './internals/part.ts'
import { classNames, Root } from './internals/part.ts'
import { PromptStringsProvider, usePromptStrings } from './dictionary/prompt-strings-context.tsx'
import type { LeaseBadgeStatus } from './lease-badge.tsx'
import { LeaseBadge } from './lease-badge.tsx'
import type { PromptStrings } from '../strings/prompts.ts'

export interface LeaseListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** How much "Extend" asks for, in milliseconds. @default 900_000 */
  readonly extendMs?: number | undefined
  /** Words in another language. @default those of the dictionary's language */
  readonly strings?: PromptStrings | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly count: number }> | undefined
}

const QUARTER_MS = 900_000

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

/** How a change that has settled is told; undefined where the lease itself tells it. */
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

const LONGEST_NAME = 80

/** What is allowed, in a sentence of the app. */
function leaseName({ name, resource }: Pick<Lease, 'name' | 'resource'>): string {
  return capMarks(shorten(resource === undefined ? name : `${name} ${resource}`, LONGEST_NAME))
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
    // Its time was over, and its answer has ended without a word about it.
    setEnded(lease.state === 'active' ? { ...lease, state: 'expired' } : lease)
  }, [chat, leases])
  return ended
}
