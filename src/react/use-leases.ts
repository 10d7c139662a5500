'use client'
import { useMemo, useState } from 'react'
import type { Lease } from '../seam/lease.ts'
import type { ChatInstance } from '../state/chat.ts'
import { type GrantedLease, createLeaseReader } from '../state/run.ts'
import { isLiveStatus } from '../state/turn.ts'
import type { LeaseResult } from '../state/chat-options.ts'
import { useChatOf, useChatStatus } from './chat-context.ts'
import { useClock, useNow } from './use-now.ts'

export interface LeasesOptions {
  /** Chat to read. @default the chat of the nearest `ChatContext` */
  readonly chat?: ChatInstance | undefined
}

/** Something that the user has allowed for a time, and the ways to change it. */
export interface LeaseControls {
  readonly id: string
  readonly lease: Lease
  /** Milliseconds until its time has expired by the clock of this device, at least 0. Undefined: it has no time limit. */
  readonly remainingMs: number | undefined
  /** Asks for so many milliseconds more; the agent decides. Undefined: it takes no such wish, or what needed the lease has ended. */
  readonly extend: ((ms: number) => Promise<LeaseResult>) | undefined
  /** Takes back what was allowed. Undefined: the agent does not let it be taken back. */
  readonly revoke: (() => Promise<LeaseResult>) | undefined
}

const HOW_OFTEN_MS = 1000

/**
 * What the user has allowed an agent for a time and has not ended, oldest first. Renders again every second while one has a time
 * limit; nothing is asked of the agent. Only the agent says that a lease has ended: one whose time has expired stays, with
 * 0 milliseconds, until it does or its answer is complete.
 *
 * @example
 * ```tsx
 * import { useLeases } from 'capstan/react'
 *
 * export function Allowed() {
 *   return useLeases().map(({ id, lease, revoke }) => (
 *     <p key={id}>
 *       {lease.name} {revoke && <button onClick={() => void revoke()}>Revoke</button>}
 *     </p>
 *   ))
 * }
 * ```
 */
export function useLeases({ chat }: LeasesOptions = {}): readonly LeaseControls[] {
  const owner = useChatOf(chat)
  const [read] = useState(createLeaseReader)
  const active = useChatStatus(({ messages }) => read(messages).filter(isActive), { chat, isEqual: hasSameLeases })
  const clock = useClock()
  useNow(
    active.some(({ lease }) => lease.until !== undefined),
    HOW_OFTEN_MS,
  )
  const changes = useMemo(() => active.map((granted) => changesOf(owner, granted)), [active, owner])
  return changes.flatMap((change, index): LeaseControls[] => {
    const granted = active[index]
    if (granted === undefined) return []
    const { id, lease, message } = granted
    const remainingMs = lease.until === undefined ? undefined : Math.max(0, lease.until - clock.date())
    return remainingMs === 0 && !isLiveStatus(message.status) ? [] : [{ id, lease, remainingMs, ...change }]
  })
}

function isActive({ lease }: GrantedLease): boolean {
  return lease.state === 'active'
}

function hasSameLeases(left: readonly GrantedLease[], right: readonly GrantedLease[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ lease, message }, index) => {
      const other = right[index]
      return lease === other?.lease && message.status === other.message.status
    })
  )
}

function changesOf(chat: ChatInstance, { id, lease, message }: GrantedLease): Pick<LeaseControls, 'extend' | 'revoke'> {
  return {
    extend:
      lease.canExtend && isLiveStatus(message.status)
        ? (ms) => chat.changeLease(id, { type: 'extend', ms })
        : undefined,
    revoke: lease.canRevoke ? () => chat.changeLease(id, { type: 'revoke' }) : undefined,
  }
}
