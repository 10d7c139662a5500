import type { LabelledDefinition, MarkdownFlavor, MathSyntax, InlineSegment, Chunk, Chunks } from '../inline/tree.ts'

/** Where inline content is. */
export interface LeafPlace {
  /** Of its paragraph, heading or row. */
  readonly key: number
  /** Of a table's cell. */
  readonly column?: number
  /** The key of the innermost footnote around it. */
  readonly home: number | undefined
}

/** Makes inline content from the texts of leaves, and keeps definitions. */
export interface Leaves {
  /** How formulas are written. Absent: there are none. */
  readonly math?: MathSyntax | undefined
  readonly flavor: MarkdownFlavor
  /** The first definition of a label is kept. */
  define(definition: LabelledDefinition): void
  /** Whether this footnote is the first with its label. */
  defineFootnote(label: string): boolean
  /** The content of a leaf that is complete, without the first `lead` code units of its text. */
  close(text: LeafText, place: LeafPlace, lead?: number): readonly InlineSegment[]
}

/**
 * Append-only text, stored as the pieces it arrived in. A string would be copied as a whole each time its end is read.
 * The difference between two texts that share pieces costs only the length of the new text.
 */
export interface LeafText {
  readonly before: LeafText | undefined
  readonly piece: string
  /** Of the whole text, in UTF-16 code units. */
  readonly length: number
}

/** With one more piece. */
export function addPiece(before: LeafText | undefined, piece: string): LeafText {
  return { before, piece, length: (before?.length ?? 0) + piece.length }
}

/** All of it; or what is behind `until`, one of its beginnings. */
export function wholeText(text: LeafText | undefined, until?: LeafText): string {
  const pieces: string[] = []
  for (let at = text; at !== undefined && at !== until; at = at.before) pieces.push(at.piece)
  return pieces.toReversed().join('')
}

/** What `text` has more than `known`; undefined when it does not begin with it. */
export function textBehind(text: LeafText, known: LeafText): string | undefined {
  let one: LeafText | undefined = text
  let other: LeafText | undefined = known
  while (one !== other) {
    if (other === undefined || (one !== undefined && one.length >= other.length)) one = one?.before
    else other = other.before
  }
  const more = wholeText(text, one)
  const shared = wholeText(known, one)
  return more.slice(0, shared.length) === shared ? more.slice(shared.length) : undefined
}

interface Keyed {
  readonly key: number
}

/** How many items a chunk holds. */
const SIZE = 16

/** With one more item; chunks that are full stay the same objects. */
export function withItem<Item extends Keyed>(chunks: Chunks<Item>, item: Item): Chunks<Item> {
  const last = chunks.at(-1)
  if (last === undefined || last.items.length >= SIZE) return [...chunks, { key: item.key, items: [item] }]
  return withLast(chunks, { key: last.key, items: [...last.items, item] })
}

/** With another item in place of the last. */
export function withLastItem<Item extends Keyed>(chunks: Chunks<Item>, item: Item): Chunks<Item> {
  const last = chunks.at(-1)
  const items = last === undefined ? [item] : [...last.items.slice(0, -1), item]
  return withLast(chunks, { key: last?.key ?? item.key, items })
}

function withLast<Item>(chunks: Chunks<Item>, last: Chunk<Item>): Chunks<Item> {
  const copy = chunks.slice()
  copy[Math.max(0, copy.length - 1)] = last
  return copy
}

/** With some more items. */
export function withItems<Item extends Keyed>(chunks: Chunks<Item>, more: readonly Item[]): Chunks<Item> {
  if (more.length === 1 && more[0] !== undefined) return withItem(chunks, more[0])
  const items = [...(chunks.at(-1)?.items ?? []), ...more]
  const joined: Chunk<Item>[] = chunks.slice(0, -1)
  for (let at = 0; at < items.length; at += SIZE) {
    const some = items.slice(at, at + SIZE)
    joined.push({ key: some[0]?.key ?? 0, items: some })
  }
  return joined
}

/** Which of things in ascending order holds `key`: the last that does not begin behind it; -1 when all do. */
export function indexByKey(items: readonly Keyed[], key: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.key ?? 0) <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}
