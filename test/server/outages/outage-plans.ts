import type { Outage, OutageKind } from './play-outage.ts'

const ALONE: readonly OutageKind[] = ['hangs', 'shortened', 'empty', 'returns']
const WITH_SENTINEL: readonly OutageKind[] = [
  'killed behind',
  'killed',
  'hangs behind, promoted',
  'hangs, promoted',
  'promoted behind',
  'promoted',
]

export interface PlanOptions {
  readonly count: number
  readonly sentinel: boolean
  /** Divides every time: that of the outage, the timeout and the lease of the log. */
  readonly hurry: number
}

/** Outages of 1 to 15 s, spread evenly, with every kind, both servers and both answers to an expired log. */
export function planOutages({ count, sentinel, hurry }: PlanOptions): Outage[] {
  const kinds = sentinel ? WITH_SENTINEL : ALONE
  return Array.from({ length: count }, (_, index) => ({
    kind: kinds[index % kinds.length] ?? 'hangs',
    ms: Math.round((1000 + (count === 1 ? 0 : (14_000 * index) / (count - 1))) / hurry),
    afterWords: 3 + ((index * 7) % 30),
    served: Math.floor(index / kinds.length) % 2 === 0 ? 'handler' : 'proxy',
    onExpired: Math.floor(index / (2 * kinds.length)) % 2 === 0 ? 'conflict' : 'restart',
    commandTimeoutMs: Math.round(5000 / hurry),
    leaseMs: Math.round(15_000 / hurry),
    paceMs: 40,
    hurry,
  }))
}
