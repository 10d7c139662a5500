import type { Guard } from '../base/guards.ts'
import { isBoolean, isNumber, isRecord, isString, isOptional, oneOf, shape, variant } from '../base/guards.ts'

/** Something that the user has allowed an agent for a time, as the agent reports it. The id of its part is the id of the lease. */
export interface Lease {
  /** Name of what is allowed, such as a tool or a permission. Plain text. */
  readonly name: string
  /** What it may be used on, such as a path or a host. Plain text. Absent: the agent does not say. */
  readonly resource?: string | undefined
  /** What it allows, as plain text for the user. Absent: the name says it. */
  readonly grants?: string | undefined
  /** Epoch milliseconds on the clock of this device. Only the agent says that a lease has ended. Absent: it has no time limit. */
  readonly until?: number | undefined
  readonly state: 'active' | 'expired' | 'revoked'
  /** Whether the agent takes a wish for more time. @default false */
  readonly canExtend?: boolean | undefined
  /** Whether the agent takes it back when the user wants that. @default false */
  readonly canRevoke?: boolean | undefined
}

/** What a user wants of a lease. `ms`: so many milliseconds more. */
export type LeaseChange = { readonly type: 'extend'; readonly ms: number } | { readonly type: 'revoke' }

/** Type guard of a lease that comes from a disk or another tab. */
export const isLease: Guard<Lease> = shape<Lease>({
  name: isString,
  resource: isOptional(isString),
  grants: isOptional(isString),
  until: isOptional(isNumber),
  state: oneOf('active', 'expired', 'revoked'),
  canExtend: isOptional(isBoolean),
  canRevoke: isOptional(isBoolean),
})

/** Type guard of a change that comes from another tab. */
export const isLeaseChange: Guard<LeaseChange> = variant<LeaseChange, 'type'>('type', {
  extend: shape({ ms: isNumber }),
  revoke: isRecord,
})
