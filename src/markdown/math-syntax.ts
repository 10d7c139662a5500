import { SPACED_LETTER } from './inline/autolinks.ts'
import type { Formula, MathSyntax } from './inline/tree.ts'

/** Most code units between the marks of a formula in a line. Where none closes it by then, its mark is text. */
const LONGEST = 1000
/** Most code units of a formula that are shown as source while its end has not come. */
const LONGEST_HELD = 256

/** An amount and what is said about it: `5 million or 6`. */
const AMOUNT = /^\d[\d.,]*[\s-]+\p{L}{2}[^\\^_{}=<>+*/|]*$/u
/** What may not be before a dollar sign that opens: one behind code closes what GitHub writes as a formula. */
const BEFORE = new RegExp(`(?:${SPACED_LETTER}|[$\`])$`, 'u')
/** Nor behind one that closes. */
const BEHIND = new RegExp(`^(?:${SPACED_LETTER}|\\$)`, 'u')
/** What ends a sentence or a bracket begins no formula. */
const NO_FORMULA = /^(?:[\s$]|[)\].,;:!?](?!\d))/

function formula(text: string, at: number, from: number, to: number, end: number, display: boolean): Formula {
  return { type: 'math', text: text.slice(from, to).trim(), source: text.slice(at, end), display }
}

/** Where the first unescaped `$` or backtick is, or the line ends, if there is one in `text` before `limit`. */
function firstStop(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '$' || char === '`' || char === '\n') return at
  }
  return -1
}

/** `$…$` in one line, as Pandoc and GitHub tell it from prices: no blank next to it within, no letter or digit next to it without. */
function scanDollar(text: string, at: number, open: boolean): Formula | number | undefined {
  const from = at + 1
  if (BEFORE.test(text.slice(Math.max(at - 2, 0), at))) return undefined
  if (from >= text.length) return open ? LONGEST_HELD : undefined
  if (NO_FORMULA.test(text.slice(from, from + 2))) return undefined
  const limit = from + LONGEST
  const stop = firstStop(text, from, Math.min(text.length, limit))
  // A price more often than a formula: shown as text at once, and yet nothing behind it settles.
  const held = /\d/.test(text[from] ?? '') ? 0 : LONGEST_HELD
  if (stop < 0) return text.length < limit ? held : undefined
  if (text[stop] !== '$' || /\s/.test(text[stop - 1] ?? '')) return undefined
  if (open && stop + 1 >= text.length && held === 0) return held
  if (BEHIND.test(text.slice(stop + 1, stop + 3)) || AMOUNT.test(text.slice(from, stop))) return undefined
  return formula(text, at, from, stop, stop + 1, false)
}

/** Code between dollar signs, as GitHub writes formulas with marks of markdown in them: `` $`…`$ ``. */
function scanCode(text: string, at: number, open: boolean): Formula | number | undefined {
  const from = at + 2
  const end = text.slice(0, from + LONGEST).indexOf('`', from)
  if (end === from || BEFORE.test(text.slice(Math.max(at - 2, 0), at))) return undefined
  if (end < 0) return text.length < from + LONGEST ? LONGEST_HELD : undefined
  if (end + 1 >= text.length && open) return LONGEST_HELD
  return text[end + 1] === '$' ? formula(text, at, from, end, end + 2, false) : undefined
}

/** `$$…$$`, over several lines as well. */
function scanDollars(text: string, at: number, open: boolean): Formula | number | undefined {
  const from = at + 2
  const limit = from + LONGEST
  let end = from
  while (end < Math.min(text.length, limit) && text[end] !== '$' && text[end] !== '`') end += text[end] === '\\' ? 2 : 1
  if (end >= limit) return undefined
  if (end >= text.length || (end + 1 >= text.length && open)) return LONGEST_HELD
  if (!text.startsWith('$$', end)) return undefined
  if (text[end + 2] === '$' || text.slice(from, end).trim() === '') return undefined
  return formula(text, at, from, end, end + 2, true)
}

/** `\(…\)` and `\[…\]`, over several lines as well. */
function scanBackslash(text: string, at: number): Formula | number | undefined {
  const display = text[at + 1] === '['
  if (!display && text[at + 1] !== '(') return undefined
  const close = display ? ']' : ')'
  const from = at + 2
  const limit = Math.min(text.length, from + LONGEST)
  let end = from
  while (end < limit && !(text[end] === '\\' && /[()[\]]/.test(text[end + 1] ?? ''))) end += text[end] === '\\' ? 2 : 1
  if (end >= limit) return text.length < from + LONGEST ? LONGEST_HELD : undefined
  // Formulas are not in each other: so each mark is looked at once.
  if (text[end + 1] !== close) return undefined
  // Brackets of a link that somebody wrote about.
  if ((display && text[end + 2] === '(') || text.slice(from, end).trim() === '') return undefined
  return formula(text, at, from, end, end + 2, display)
}

/** Whether the text above has the mark that opens a formula, and not the same one that closes it. */
function closesAbove(fence: string, above: string): boolean {
  return fence === '$$' && above.split(fence).length % 2 === 0
}

/** The marks that open a formula on its own lines, with what opens one on their line. */
const OPENS: readonly {
  readonly mark: string
  readonly begins: RegExp
  readonly fence: string
  readonly end: RegExp
}[] = [
  { mark: '$$', begins: /^[ \t]*\\begin\{/, fence: '$$', end: /[ \t]*\$\$[ \t]*$/ },
  { mark: '\\[', begins: /^(?:[ \t]|\\begin\{)/, fence: '\\]', end: /[ \t]*(?<!\\)\\\][ \t]*$/ },
]

/**
 * How agents write formulas: `$…$`, `` $`…`$ ``, `$$…$$`, `\(…\)` and `\[…\]`. Pass it to `createMarkdownStream` or `parseMarkdown`
 * to have formulas in the tree. What `createMath` of `capstan/math` makes has it already; your own component has it as its
 * `syntax`.
 *
 * @example
 * ```ts
 * import { mathSyntax, parseMarkdown } from 'capstan/markdown'
 *
 * const root = parseMarkdown('The width is $w = 11d$.', { math: mathSyntax })
 * console.log(root)
 * ```
 */
export const mathSyntax: MathSyntax = {
  scan(text, at, open) {
    if (text[at] === '\\') return at + 1 < text.length ? scanBackslash(text, at) : undefined
    if (text[at + 1] === '`') return scanCode(text, at, open)
    if (text[at + 1] !== '$') return scanDollar(text, at, open)
    if (text[at - 1] === '$' || text[at + 2] === '$') return undefined
    return scanDollars(text, at, open)
  },
  openBlock(line, key, above) {
    for (const { mark, begins, fence, end } of OPENS) {
      if (!line.startsWith(mark)) continue
      const text = line.slice(mark.length)
      const opened = { info: 'math', fence, end } as const
      if (text.trim() === '') return closesAbove(mark, above()) ? undefined : { ...opened, lines: [] }
      if (begins.test(text) && !text.includes(fence))
        return {
          ...opened,
          lines: [{ key: key + mark.length, items: [{ key: key + mark.length, text: text.trimStart() }] }],
        }
    }
    return undefined
  },
}
