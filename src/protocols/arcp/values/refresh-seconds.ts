import type { ArcpLease } from '../fold/arcp-state.ts'

/**
 * Seconds to ask for so that a lease holds longer by `ms`: they count from now on, so what is left of it is added.
 *
 * @param now epoch milliseconds on the clock of the runtime
 */
export function refreshSeconds({ expiresAt }: Pick<ArcpLease, 'expiresAt'>, ms: number, now: number): number {
  const left = Date.parse(expiresAt) - now
  return Math.ceil(((left > 0 ? left : 0) + ms) / 1000)
}
