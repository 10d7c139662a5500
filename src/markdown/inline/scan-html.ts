import { MORE, NO, skipBlanks } from './link-parts.ts'

const TAG_NAME = /[a-z][a-z\d-]*/iy
const ATTRIBUTE_NAME = /[a-z_:][\w:.-]*/iy
const BARE_VALUE = /[^\s"'=<>`]+/y

/** Opening of what ends at the first of its ends. */
const ENDS = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
] as const

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at >= text.length ? MORE : NO
}

/** Past the raw HTML at `at`. `absent` is one set for one text: the ends that were looked for in vain. */
export function scanHtml(text: string, at: number, absent: Set<string>): number {
  const next = text[at + 1]
  if (next === '/') {
    const name = past(TAG_NAME, text, at + 2)
    if (name < 0) return name
    const end = skipBlanks(text, name)
    return text[end] === '>' ? end + 1 : end >= text.length ? MORE : NO
  }
  if (next === '!' || next === '?') return scanDeclaration(text, at, absent)
  const name = past(TAG_NAME, text, at + 1)
  return name < 0 ? name : scanAttributes(text, name)
}

function scanDeclaration(text: string, at: number, absent: Set<string>): number {
  for (const [open, close] of ENDS) {
    // The dashes of `<!-->` are those of its end as well.
    if (text.startsWith(open, at)) return pastEnd(text, at + (open === '<!--' ? 2 : open.length), close, absent)
    if (text.length - at < open.length && open.startsWith(text.slice(at))) return MORE
  }
  return /[a-z]/i.test(text[at + 2] ?? '') ? pastEnd(text, at + 2, '>', absent) : NO
}

function pastEnd(text: string, from: number, end: string, absent: Set<string>): number {
  const at = absent.has(end) ? -1 : text.indexOf(end, from)
  if (at >= 0) return at + end.length
  absent.add(end)
  return MORE
}

function scanAttributes(text: string, from: number): number {
  for (let at = from; ;) {
    const next = skipBlanks(text, at)
    const char = text[next]
    if (char === '>') return next + 1
    if (char === '/') return text[next + 1] === '>' ? next + 2 : next + 1 >= text.length ? MORE : NO
    if (next === at && char !== undefined) return NO
    at = past(ATTRIBUTE_NAME, text, next)
    if (at < 0) return at
    const equals = skipBlanks(text, at)
    if (text[equals] === '=') at = scanValue(text, skipBlanks(text, equals + 1))
    if (at < 0) return at
  }
}

function scanValue(text: string, at: number): number {
  const quote = text[at]
  if (quote !== '"' && quote !== "'") return past(BARE_VALUE, text, at)
  const end = text.indexOf(quote, at + 1)
  return end < 0 ? MORE : end + 1
}
