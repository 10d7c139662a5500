/** Below this, more than two digits after the point are shown: single runs often cost less than a cent. */
const SMALL = 0.1

/** An amount of money in a language. A currency that is none is written as it came. */
export function amountOf(value: number, currency: string, lang: string | undefined): string {
  const digits = value !== 0 && Math.abs(value) < SMALL ? { maximumFractionDigits: 4 } : {}
  try {
    return new Intl.NumberFormat(lang, { style: 'currency', currency, ...digits }).format(value)
  } catch {
    return `${new Intl.NumberFormat(lang, { maximumFractionDigits: 4 }).format(value)} ${currency.slice(0, 8)}`
  }
}
