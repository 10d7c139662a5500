/** A clock that is off by less is taken to be right: that long a message may travel. */
const LONGEST_TRAVEL_MS = 5_000

/** How many milliseconds the clock of this device is ahead of the one that wrote a timestamp. */
export function clockOffset(now: number, timestamp: string): number {
  const ahead = now - Date.parse(timestamp)
  return Math.abs(ahead) > LONGEST_TRAVEL_MS ? ahead : 0
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/** Whether a text is a date and time of RFC 3339. */
export function isDateTime(value: string): boolean {
  return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value.replace(' ', 'T')))
}

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
