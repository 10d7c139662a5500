/** A time in milliseconds as people say it: whole seconds, never none; minutes from two minutes on. */
export function wholeSeconds(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`
}
