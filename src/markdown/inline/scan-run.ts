import type { Run } from './piece.ts'

const BLANK = /[\t\n\f\r\p{Zs}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/** The run of `*`, `_` or `~` at `at`, with what its neighbours let it do; undefined for a run that is never a mark. */
export function scanRun(text: string, at: number): Run {
  const char = text[at] ?? ''
  let end = at + 1
  while (text[end] === char) end++
  const before = characterBefore(text, at)
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 10) : '\n'
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
  if (at === 0) return '\n'
  const before = text.slice(Math.max(at - 2, 0), at)
  return (before.codePointAt(0) ?? 0) > 0xFFFF ? before : before.slice(-1)
}

/** Flanking: the run belongs to what stands on the one side and not to what stands on the other. */
function leans(away: string, toward: string): boolean {
  return !BLANK.test(toward) && (!PUNCTUATION.test(toward) || BLANK.test(away) || PUNCTUATION.test(away))
}
