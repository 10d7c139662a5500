/**
 * Seconds to ask for so that a lease holds longer by `ms`: they count from now on, so what is left of it is added.
 *
 * @param expiresAt its end, in the notation of RFC 3339
 * @param now epoch milliseconds on the clock of the runtime
 */
export function refreshSeconds(expiresAt: string, ms: number, now: number): number {
  const left = Date.parse(expiresAt) - now
  return Math.ceil(((left > 0 ? left : 0) + ms) / 1000)
}
