const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How a language writes its units: `#` stands for the number. */
export interface Units {
  readonly second: string
  readonly minute: string
  readonly byte: string
  readonly kilobyte: string
  readonly megabyte: string
}

/** Forms of a word by the plural rules of its language; `#` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** Numbers, units and plurals of one language. */
export interface Measures {
  readonly number: (value: number) => string
  /** A share of 0 to 1. */
  readonly percent: (share: number) => string
  /** Milliseconds as whole seconds, never none; from two minutes on minutes, then hours and days. */
  readonly time: (ms: number) => string
  /** Milliseconds as the seconds that are full. */
  readonly seconds: (ms: number) => string
  readonly size: (bytes: number) => string
  readonly plural: (count: number, forms: Forms) => string
}

/** A time from two hours on in whole hours, from two days on in whole days, as the language abbreviates them. Undefined: it is shorter. */
function hoursOrDays(ms: number, locale: string): string | undefined {
  if (ms < 2 * HOUR) return undefined
  const [unit, size] = ms < 2 * DAY ? (['hour', HOUR] as const) : (['day', DAY] as const)
  return Math.round(ms / size).toLocaleString(locale, { style: 'unit', unit })
}

/** The measures of a language, by what the browser knows of its numbers and plurals. */
export function measuresOf(tag: string, units: Units): Measures {
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 })
  const tenths = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 })
  const shares = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
  const rules = new Intl.PluralRules(tag)
  const fill = (form: string, figure: string): string => form.replace('#', () => figure)
  return {
    number: (value) => whole.format(value),
    percent: (share) => shares.format(share),
    time: (ms) =>
      hoursOrDays(ms, tag) ??
      (ms >= 2 * MINUTE
        ? fill(units.minute, whole.format(ms / MINUTE))
        : fill(units.second, whole.format(Math.max(1, Math.round(ms / 1000))))),
    seconds: (ms) => fill(units.second, whole.format(Math.floor(Math.max(0, ms) / 1000))),
    size: (bytes) => {
      if (bytes < 1000) return fill(units.byte, whole.format(bytes))
      return bytes < 1e6
        ? fill(units.kilobyte, tenths.format(bytes / 1e3))
        : fill(units.megabyte, tenths.format(bytes / 1e6))
    },
    plural: (count, forms) => fill(forms[rules.select(count)] ?? forms.other, whole.format(count)),
  }
}

/** A limit of a schema, as a language writes numbers. Very large ones are as JavaScript writes them. */
export function figureIn(tag: string): (value: number) => string {
  const format = new Intl.NumberFormat(tag, { maximumSignificantDigits: 15 })
  return (value) => (Math.abs(value) < 1e15 ? format.format(value) : String(value))
}
