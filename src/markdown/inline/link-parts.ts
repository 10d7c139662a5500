import { unescapeText } from './rare-syntax.ts'

/** Result of a scan that found no match. Every result below 0 means no match. */
export const NO = -1

/** Result of a scan that reached the end of the text without a decision. */
export const MORE = -2

const LONGEST_LABEL = 999

const DEEPEST_PARENTHESES = 32

const BACKSLASH = 92

/** Past the blanks and line ends at `at`. */
export function skipBlanks(text: string, at: number): number {
  let end = at
  for (let code = text.charCodeAt(end); code === 32 || code === 9 || code === 10; code = text.charCodeAt(end)) end++
  return end
}

/** Past the closing bracket of the link label whose `[` is at `at`. */
export function scanLinkLabel(text: string, at: number): number {
  if (text[at] !== '[') return at >= text.length ? MORE : NO
  let blank = true
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 93) return blank ? NO : end + 1
    if (code === 91 || end - at > LONGEST_LABEL) return NO
    if (code === BACKSLASH && end + 1 < text.length) {
      const next = text.charCodeAt(end + 1)
      if (next >= 91 && next <= 93) end++
    }
    blank &&= code === 32 || code === 9 || code === 10
  }
  return MORE
}

/**
 * Past the link destination at `at`: `<...>`, or a stretch without blanks, which may be empty (the answer is then `at`) and may be
 * all that is left of the text (the answer is then its length).
 */
export function scanLinkDestination(text: string, at: number): number {
  if (text[at] === '<') return scanPointed(text, at)
  let depth = 0
  let end = at
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code <= 32 || code === 127) break
    if (code === BACKSLASH) {
      if (isAsciiPunctuation(text.charCodeAt(end + 1))) end++
    } else if (code === 40) {
      if (++depth > DEEPEST_PARENTHESES) return NO
    } else if (code === 41 && depth-- === 0) return end
  }
  if (depth > 0) return end >= text.length ? MORE : NO
  return end
}

function scanPointed(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 62) return end + 1
    if (code === 10 || code === 60) return NO
    if (code === BACKSLASH && isAsciiPunctuation(text.charCodeAt(end + 1))) end++
  }
  return MORE
}

/** Past the closing mark of the link title at `at`. */
export function scanLinkTitle(text: string, at: number): number {
  const open = text[at]
  if (open === undefined) return MORE
  if (open !== '"' && open !== "'" && open !== '(') return NO
  const close = (open === '(' ? ')' : open).charCodeAt(0)
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === close) return end + 1
    if (code === 40 && close === 41) return NO
    if (code === BACKSLASH && isAsciiPunctuation(text.charCodeAt(end + 1))) end++
  }
  return MORE
}

/** The address written between `from` and `to`, as scanLinkDestination found it. */
export function destinationOf(text: string, from: number, to: number): string {
  return encodeUrl(unescapeText(text[from] === '<' ? text.slice(from + 1, to - 1) : text.slice(from, to)))
}

/** The title written between `from` and `to`, as scanLinkTitle found it. */
export function linkTitle(text: string, from: number, to: number): string {
  return unescapeText(text.slice(from + 1, to - 1))
}

/** Whether a backslash before it makes it literal. */
export function isAsciiPunctuation(code: number): boolean {
  return (code > 32 && code < 48) || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 127)
}

/** An address as it may be in an attribute: what is percent-encoded stays so, everything else that is not a letter of addresses becomes so. */
export function encodeUrl(url: string): string {
  return url.replace(/%(?![0-9a-f]{2})|[^\w;/?:@&=+$,.!~*'()#%-]+/giu, (part) =>
    encodeURIComponent(part.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')),
  )
}
