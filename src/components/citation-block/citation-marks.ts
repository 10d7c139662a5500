/** A stretch of text: plain words, or a mark that names sources by number (from 1). */
export type Stretch = { readonly type: 'words'; readonly at: number; readonly text: string } | { readonly type: 'mark'; readonly at: number; readonly numbers: readonly string[] }

const MARK = /\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]/g

/**
 * Finds `[1]` and `[1, 3]` in text. Only marks whose every number names one of the `count` sources
 * count; an index like `a[7]` stays as it was written. The stretches joined give the text again.
 */
export function findMarks(text: string, count: number): readonly Stretch[] {
  if (count === 0 || !text.includes('[')) return text === '' ? [] : [{ type: 'words', at: 0, text }]
  const stretches: Stretch[] = []
  let end = 0
  for (const match of text.matchAll(MARK)) {
    const numbers = (match[1] ?? '').split(/(?=,)/)
    if (!numbers.every((number) => isSource(number, count))) continue
    if (match.index > end) stretches.push({ type: 'words', at: end, text: text.slice(end, match.index) })
    stretches.push({ type: 'mark', at: match.index, numbers })
    end = match.index + match[0].length
  }
  if (end < text.length) stretches.push({ type: 'words', at: end, text: text.slice(end) })
  return stretches
}

function isSource(text: string, count: number): boolean {
  const number = Number(text.replace(',', ''))
  return number >= 1 && number <= count
}
