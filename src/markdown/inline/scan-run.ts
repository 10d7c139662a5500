import type { MarkdownFlavor } from '../tree/references.ts'
import type { DelimiterRun } from './piece.ts'
import { UNSPACED } from './unspaced.ts'

const BLANK = /[\t\n\f\r\p{Zs}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/**
 * The run of `*`, `_` or `~` at `at`, and whether its neighbours let it open or close. Tildes do not count as
 * neighbours, so that a bold word can be struck out. In a chat, words of scripts without spaces need none beside the run, and one tilde
 * means *about*.
 */
export function scanRun(text: string, at: number, flavor: MarkdownFlavor): DelimiterRun {
  const char = text[at] ?? ''
  let end = at + 1
  while (text[end] === char) end++
  const before = characterBefore(text, at)
  const after = characterAfter(text, end)
  const isChat = flavor === 'chat'
  const opens = leans(before, after, isChat)
  const closes = leans(after, before, isChat)
  const inWord = char === '_'
  const length = end - at
  const isMark = char !== '~' || length === 2 || (length === 1 && !isChat)
  return {
    type: 'run',
    char,
    at,
    length,
    canOpen: isMark && opens && (!inWord || !closes || PUNCTUATION.test(before)),
    canClose: isMark && closes && (!inWord || !opens || PUNCTUATION.test(after)),
    left: length,
    closes: [],
    opens: [],
  }
}

function characterBefore(text: string, at: number): string {
  let end = at
  while (text[end - 1] === '~') end--
  const before = text.slice(Math.max(end - 2, 0), end)
  return (before.codePointAt(0) ?? 0) > 0xffff ? before : before.slice(-1) || '\n'
}

function characterAfter(text: string, at: number): string {
  let start = at
  while (text[start] === '~') start++
  return String.fromCodePoint(text.codePointAt(start) ?? 10)
}

/** Flanking: the run belongs to the text on the one side and not to that on the other. */
function leans(away: string, toward: string, isChat: boolean): boolean {
  if (BLANK.test(toward)) return false
  if (!PUNCTUATION.test(toward) || BLANK.test(away) || PUNCTUATION.test(away)) return true
  return isChat && (UNSPACED.test(away) || UNSPACED.test(toward))
}
