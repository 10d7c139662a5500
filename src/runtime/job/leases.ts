/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> active
    active --> revoked: revoke
    active --> expired: expire
*/
import type { Clock } from '../../base/ports/clock.ts'
import { noop } from '../../base/noop.ts'
import { ArcpFault } from '../session/arcp-fault.ts'
import type { RuntimeJob } from './runtime-job.ts'
import type { ArcpGrantedLease } from './tool.ts'
import { transitionTable, type TransitionTable } from '../../base/transition-table.ts'

/** Where a lease is. */
type LeaseState = 'active' | 'revoked' | 'expired'

/** What ends a lease. */
type LeaseEnd = 'revoke' | 'expire'

/** State machine of a lease: what has ended stays so. */
// oxfmt-ignore
export const LEASE_STATES: TransitionTable<LeaseState, LeaseEnd> = /* @__PURE__ */ transitionTable(
             ['active',  'revoked', 'expired'],
  {
    revoke:  ['revoked', '.',       '.'],
    expire:  ['expired', '.',       '.'],
  },
)

/** What is allowed. */
export interface LeaseSubject {
  readonly permission: string
  readonly resource: string
  readonly operation: string
}

/** A lease of the runtime. */
export interface RuntimeLease extends LeaseSubject {
  readonly id: string
  readonly job: RuntimeJob
  readonly state: LeaseState
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** As the tool sees it. */
  readonly granted: ArcpGrantedLease
}

/** The leases of a runtime, with a sweeper on its clock: one timer, for the one that ends first. */
export interface Leases {
  readonly all: ReadonlyMap<string, RuntimeLease>
  grant(job: RuntimeJob, subject: LeaseSubject, seconds: number): RuntimeLease
  /** Extends a lease from now on. Gives its new end. @throws ArcpFault NOT_FOUND, LEASE_EXPIRED, LEASE_REVOKED */
  extend(id: string, seconds: number): number
  /** @throws ArcpFault NOT_FOUND, LEASE_EXPIRED, LEASE_REVOKED */
  revoke(id: string, reason: string): void
  /** Drops all, and tells nobody. */
  close(): void
}

export interface RuntimeLeasesOptions {
  readonly clock: Clock
  /** Longest lease, in seconds. */
  readonly maxSeconds: number
  id(): string
  /** Called when a lease has ended. */
  onEnded(lease: RuntimeLease, reason: string): void
}

interface Own extends RuntimeLease {
  state: LeaseState
  expiresAt: number
  readonly abort: AbortController
}

/** Ended leases that are remembered to report why they ended. */
const KEPT = 1_000
const FAULTS = { expired: 'LEASE_EXPIRED', revoked: 'LEASE_REVOKED' } as const

export function createLeases({ clock, maxSeconds, id, onEnded }: RuntimeLeasesOptions): Leases {
  const all = new Map<string, Own>()
  const active = new Set<Own>()
  let cancel = noop

  function sweepLater(): void {
    cancel()
    cancel = noop
    let next = Infinity
    for (const { expiresAt } of active) next = Math.min(next, expiresAt)
    if (next !== Infinity) cancel = clock.after(Math.max(0, next - clock.date()), sweep)
  }

  function sweep(): void {
    const now = clock.date()
    for (const lease of [...active]) if (lease.expiresAt <= now) end(lease, 'expire', 'expired')
    sweepLater()
  }

  function end(lease: Own, input: LeaseEnd, reason: string): void {
    lease.state = LEASE_STATES[lease.state][input]
    active.delete(lease)
    const code = lease.state === 'expired' ? FAULTS.expired : FAULTS.revoked
    lease.abort.abort(new ArcpFault(code, `The lease is over: ${reason}.`))
    onEnded(lease, reason)
    const ended = all.size - active.size
    for (const [key, { state }] of ended > KEPT ? all : []) {
      if (state === 'active') continue
      all.delete(key)
      break
    }
  }

  function find(leaseId: string): Own {
    const lease = all.get(leaseId)
    if (lease === undefined) throw new ArcpFault('NOT_FOUND', 'There is no such lease.')
    if (lease.state !== 'active') throw new ArcpFault(FAULTS[lease.state], `The lease is ${lease.state}.`)
    return lease
  }

  const limited = (seconds: number): number => clock.date() + Math.max(0, Math.min(seconds, maxSeconds)) * 1000

  return {
    all,
    grant(job, { permission, resource, operation }, seconds) {
      const abort = new AbortController()
      const subject = { permission, resource, operation }
      const leaseId = id()
      const own: Own = {
        ...subject,
        id: leaseId,
        job,
        state: 'active',
        expiresAt: limited(seconds),
        abort,
        granted: {
          ...subject,
          id: leaseId,
          get expiresAt() {
            return own.expiresAt
          },
          signal: abort.signal,
        },
      }
      all.set(leaseId, own)
      active.add(own)
      sweepLater()
      return own
    },
    extend(leaseId, seconds) {
      const lease = find(leaseId)
      lease.expiresAt = limited(seconds)
      sweepLater()
      return lease.expiresAt
    },
    revoke(leaseId, reason) {
      end(find(leaseId), 'revoke', reason)
      sweepLater()
    },
    close() {
      cancel()
      active.clear()
    },
  }
}
