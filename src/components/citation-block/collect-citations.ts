import type { Citation } from '../../seam/agent-event.ts'
import type { MessagePart } from '../../state/turn.ts'
import { sameItems } from '../../base/equal-json.ts'
import { copyText } from '../../base/copy-text.ts'
import { hostOf, safeLink } from '../../base/safe-url.ts'

type CitationsPart = Extract<MessagePart, { readonly type: 'citations' }>

const NONE: readonly Citation[] = []

const collected = new WeakMap<
  CitationsPart,
  { readonly from: readonly CitationsPart[]; readonly citations: readonly Citation[] }
>()

/**
 * All sources of a message in order of arrival, which is the order of their numbers. The same id and address is the
 * same source: it keeps its number and its first values; later ones add missing values. A citation with only
 * the same id or only the same address is another source: the agent counts it separately, so its `[3]` must not become
 * 2. Returns the same array while the citations of the message are the same.
 */
export function collectCitations(parts: readonly MessagePart[]): readonly Citation[] {
  const from = parts.filter((part) => part.type === 'citations')
  const last = from.at(-1)
  if (!last) return NONE
  let known = collected.get(last)
  if (!known || !sameItems(known.from, from)) {
    known = { from, citations: merge(from) }
    collected.set(last, known)
  }
  return known.citations
}

function merge(parts: readonly CitationsPart[]): readonly Citation[] {
  const found = new Map<string, Citation>()
  for (const citation of parts.flatMap((part) => part.citations)) {
    const key = JSON.stringify([citation.sourceId, citation.uri])
    const had = found.get(key)
    // The JSON round trip drops undefined fields of the first citation, so that they do not overwrite those of the
    // second.
    found.set(key, had ? { ...citation, ...(JSON.parse(JSON.stringify(had)) as Citation) } : citation)
  }
  return [...found.values()]
}

/** The highest number that a mark can name. */
const MOST_MARKED = 999

/** On one line: text is cut at line breaks. */
const MARK = /(\[\d{1,3}(?: ?, ?\d{1,3}){0,9}\])/

/** Text taken apart at what may be a mark, such as `[1]` and `[1, 3]`: every second stretch is one. Joined they are the text again. */
export function splitAtMarks(text: string): readonly string[] {
  return text.split(MARK)
}

/** What may be the beginning of a mark, at the end of a text that grows. */
const HALF_MARK = /\[(?:\d{1,3}(?: ?, ?\d{1,3}){0,9}(?: |, ?| , ?)?)?$/

/** A text that grows, without half of a mark at its end: it comes as a whole. */
export function withoutHalfMark(text: string): string {
  return text.replace(HALF_MARK, '')
}

/** Whether a figure in a mark names a source that is there, or may come. */
export function namesSource(figure: string, citations: readonly Citation[], live: boolean): boolean {
  return citations[+figure - 1] !== undefined || (live && +figure > 0)
}

/** Few enough characters that what was read is rarely touched again, and a selection in it stays; enough that a long text has hundreds of pieces, not thousands. */
const PIECE = 250

/**
 * Cuts text after line breaks into pieces of some hundred characters. Where a cut falls depends only
 * on what is before it, so while text grows every piece but the last stays the same string.
 */
export function cutText(text: string): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start + PIECE) + 1 || text.length
    pieces.push(copyText(text.slice(start, end)))
    start = end
  }
  return pieces
}

/**
 * The text with a mark after the words that a citation says it supports, where the agent wrote no mark for
 * it. The words must be there letter by letter, and the first place counts: `indices` are left alone, for
 * nobody says whether they count bytes, UTF-16 units or characters.
 */
export function markSupported(text: string, citations: readonly Citation[]): string {
  return citations.slice(0, MOST_MARKED).reduce((marked, { text: words }, index) => {
    const mark = `[${index + 1}]`
    return !words?.trim() || marked.includes(mark) ? marked : marked.replace(words, () => words + mark)
  }, text)
}

/** What a source is called: its title, or else its host, id or address. */
export function sourceTitle({ title, uri, sourceId }: Citation): string {
  const link = safeLink(uri)
  return title.trim() || (link && hostOf(link)) || sourceId || uri
}
