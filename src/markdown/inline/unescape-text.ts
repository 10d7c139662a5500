import { decodeEntity } from './decode-entity.ts'

/** A stretch with its backslashes and entities resolved, where nothing else means anything: addresses, titles, info strings of fences. */
export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text
  return text.replace(
    /\\([!-/:-@[-`{-~])|&(?:#[xX][\da-fA-F]{1,6}|#\d{1,7}|[a-zA-Z][a-zA-Z\d]{1,31});/g,
    (whole, escaped?: string) => escaped ?? decodeEntity(whole) ?? whole,
  )
}
