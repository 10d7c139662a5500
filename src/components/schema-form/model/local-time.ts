const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether a text is a day of the calendar, as `2026-02-28`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  // A day that no month has is refused, or taken for one of the next month.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A time with its zone, as an input of this device's zone takes it; empty where it is none. */
export function toLocalTime(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i.test(text)) return ''
  const time = new Date(text)
  const year = time.getFullYear()
  if (Number.isNaN(year) || year < 1000 || year > 9999) return ''
  const seconds = time.getSeconds() === 0 ? '' : `:${two(time.getSeconds())}`
  return `${year}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}${seconds}`
}

/** What such an input gives, as a time in UTC. Undefined: it is none. */
export function fromLocalTime(entry: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(entry)) return undefined
  const time = new Date(entry)
  if (Number.isNaN(time.getTime())) return undefined
  const text = time.toISOString()
  return /^\d{4}-/.test(text) ? text : undefined
}
