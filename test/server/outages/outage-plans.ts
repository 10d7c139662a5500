import { POSTGRES_OUTAGES } from './failing-postgres.ts'
import type { Outage } from './play-outage.ts'

const KINDS: Readonly<Record<PlanOptions['store'], readonly Outage['kind'][]>> = {
  alone: ['hangs', 'shortened', 'empty', 'returns'],
  sentinel: ['killed behind', 'killed', 'hangs behind, promoted', 'hangs, promoted', 'promoted behind', 'promoted'],
  cluster: ['killed in a cluster', 'hangs in a cluster', 'promoted in a cluster'],
  postgres: POSTGRES_OUTAGES,
}

export interface PlanOptions {
  readonly count: number
  /** A Redis alone, a Redis under Sentinel, a node of a Redis Cluster, or Postgres. */
  readonly store: 'alone' | 'sentinel' | 'cluster' | 'postgres'
  /** Only this kind. */
  readonly kind?: string | undefined
  /** Divides every time: that of the outage, the timeout and the lease of the log. */
  readonly hurry: number
}

/** Outages of 1 to 15 s, spread evenly, with every kind, both servers and both answers to an expired log. */
export function planOutages({ count, store, kind: only, hurry }: PlanOptions): Outage[] {
  const kinds = KINDS[store].filter((kind) => only === undefined || kind === only)
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
