const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A time from two hours on in whole hours, from two days on in whole days, as the language abbreviates them. Undefined: it is shorter. */
export function hoursOrDays(ms: number, locale: string): string | undefined {
  if (ms < 2 * HOUR) return undefined
  const [unit, size] = ms < 2 * DAY ? ['hour', HOUR] as const : ['day', DAY] as const
  return Math.round(ms / size).toLocaleString(locale, { style: 'unit', unit })
}

/** A time in milliseconds as people say it: whole seconds, never none; from two minutes on minutes, then hours and days. */
export function wholeSeconds(ms: number): string {
  return hoursOrDays(ms, 'en') ?? (ms >= 2 * MINUTE ? `${Math.round(ms / MINUTE)} min` : `${Math.max(1, Math.round(ms / 1000))} s`)
}
