import { measuresOf } from './measures.ts'

// Latin digits: the numbers of sources, of codes and in addresses next to them are Latin too.
export const { number, percent, time, seconds, size, plural } = measuresOf('ar-u-nu-latn', {
  second: '# ث',
  minute: '# د',
  byte: '# بايت',
  kilobyte: '# كيلوبايت',
  megabyte: '# ميغابايت',
})

/** A name of any script inside of an Arabic sentence: what belongs to it stays with it. */
export function apart(name: string): string {
  return `\u2068${name}\u2069`
}
