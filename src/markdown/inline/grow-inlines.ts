import type { References, InlineSegment, Inline } from './tree.ts'
import { buildInlines } from './build-inlines.ts'
import { readPieces } from './read-pieces.ts'

/** How long the open end may be, in UTF-16 code units. Tests cut earlier. */
export interface GrowthLimits {
  /** From here on it settles at the next place where that is exact. */
  readonly settleFrom: number
  /** From here on it settles anywhere. */
  readonly longest: number
}

/** What is known of a leaf whose text only grows. Never changes: growing gives another one. */
export interface InlineGrowth {
  /** Settled: they keep their identity. */
  readonly segments: readonly InlineSegment[]
  /** False when later text may change a settled segment: then the complete leaf is parsed once more. */
  readonly exact: boolean
  /** The text that is not settled, and where it begins. */
  readonly tail: string
  readonly key: number
  /** The tail, as it is shown. */
  readonly open: InlineSegment
}

const LIMITS: GrowthLimits = { settleFrom: 512, longest: 2048 }

/** The leaf after more of its text came. `text` is all of it and begins with the text of `before`. Costs what the open end and the new text cost, however long the leaf is. */
export function growInlines(
  before: InlineGrowth | undefined,
  text: string,
  references: References,
  limits = LIMITS,
): InlineGrowth {
  return growTail(before, restOf(before, text), references, limits)
}

/** The same with nothing but what is new: a string of the whole text would be put together again each time. */
export function extendInlines(
  before: InlineGrowth,
  more: string,
  references: References,
  limits = LIMITS,
): InlineGrowth {
  return growTail(before, before.tail + more, references, limits)
}

function growTail(
  before: InlineGrowth | undefined,
  text: string,
  references: References,
  limits: GrowthLimits,
): InlineGrowth {
  let segments = before?.segments ?? []
  let exact = before?.exact ?? true
  let key = before?.key ?? 0
  let tail = text
  for (;;) {
    const shown = trimmedLength(tail)
    const { pieces, cut: quiet } = readPieces(tail.slice(0, shown), references, true, shown === tail.length)
    const cut =
      tail.length <= limits.settleFrom ? 0 : quiet > 0 || tail.length <= limits.longest ? quiet : forcedCut(tail)
    if (cut === 0) return { segments, exact, tail, key, open: { key, children: buildInlines(pieces) } }
    const settled = readPieces(tail.slice(0, cut), references)
    segments = [...segments, { key, children: buildInlines(settled.pieces) }]
    exact &&= cut === quiet
    key += cut
    tail = tail.slice(cut)
  }
}

/** The text behind what is settled. */
function restOf(before: InlineGrowth | undefined, text: string): string {
  if (before === undefined) return text
  const known = before.key + before.tail.length
  // A concatenation of small strings does not keep the whole text in memory, as a slice of it would.
  return text.length < known ? text.slice(before.key) : before.tail + text.slice(known)
}

/**
 * After the last blank; in a text without blanks, as of Thai or Khmer, before its last grapheme, which may not be complete. A letter and
 * its marks, or an emoji and its parts, are shaped together only in one node.
 */
function forcedCut(tail: string): number {
  const blank = tail.lastIndexOf(' ', tail.length - 2) + 1
  if (blank > 1) return blank
  // Half of a surrogate pair would count as a grapheme.
  const text = tail.replace(/[\ud800-\udbff]$/, '')
  const last = new Intl.Segmenter().segment(text).containing(text.length - 1)
  return last?.index || text.length - (Array.from(text).at(-1)?.length ?? 1)
}

/** Exact: `text` is whole now. Settled segments keep their identity unless one was cut off by force. */
export function finishInlines(
  before: InlineGrowth | undefined,
  text: string,
  references: References,
): readonly InlineSegment[] {
  if (before === undefined || !before.exact || text.length < before.key) return segmentOf(0, text, references)
  return [...before.segments, ...segmentOf(before.key, restOf(before, text), references)]
}

function segmentOf(key: number, text: string, references: References): readonly InlineSegment[] {
  const children = parseInlines(text, references)
  return children.length === 0 ? [] : [{ key, children }]
}

/** What to show while the text still grows: without the flicker of half-open syntax. */
export function shownInlines(growth: InlineGrowth): readonly InlineSegment[] {
  return growth.open.children.length === 0 ? growth.segments : [...growth.segments, growth.open]
}

/** Where the blanks at the end of a text begin: they are no part of it. */
function trimmedLength(text: string): number {
  let end = text.length
  while (end > 0 && ' \t\n'.includes(text.charAt(end - 1))) end--
  return end
}

/** The inline content of a leaf whose text is whole, exact. Labels are asked for in the order of their closing brackets. */
export function parseInlines(text: string, references: References): readonly Inline[] {
  return buildInlines(readPieces(text.slice(0, trimmedLength(text)), references).pieces)
}
