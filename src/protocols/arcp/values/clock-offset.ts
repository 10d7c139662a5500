/** A clock that is off by less is taken to be right: that long a message may travel. */
const LONGEST_TRAVEL_MS = 5_000

/** How many milliseconds the clock of this device is ahead of the one that wrote a timestamp. */
export function clockOffset(now: number, timestamp: string): number {
  const ahead = now - Date.parse(timestamp)
  return Math.abs(ahead) > LONGEST_TRAVEL_MS ? ahead : 0
}
