import type { Run } from './piece.ts'

const BLANK = /[\t\n\f\r\p{Zs}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/** The run of `*`, `_` or `~` at `at`, with what its neighbours let it do. Tildes are no neighbours: who strikes out a bold word means the word. */
export function scanRun(text: string, at: number): Run {
  const char = text[at] ?? ''
  let end = at + 1
  while (text[end] === char) end++
  const before = characterBefore(text, at)
  const after = characterAfter(text, end)
  const opens = leans(before, after)
  const closes = leans(after, before)
  const inWord = char === '_'
  const length = end - at
  const isMark = char !== '~' || length < 3
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
  return (before.codePointAt(0) ?? 0) > 0xFFFF ? before : before.slice(-1) || '\n'
}

function characterAfter(text: string, at: number): string {
  let start = at
  while (text[start] === '~') start++
  return String.fromCodePoint(text.codePointAt(start) ?? 10)
}

/** Flanking: the run belongs to what stands on the one side and not to what stands on the other. */
function leans(away: string, toward: string): boolean {
  return !BLANK.test(toward) && (!PUNCTUATION.test(toward) || BLANK.test(away) || PUNCTUATION.test(away))
}
