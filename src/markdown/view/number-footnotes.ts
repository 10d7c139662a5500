import type { Block, Chunk, Chunks, Footnote, Inline, InlineSegment, MarkdownRoot } from '../inline/tree.ts'

/** The labels a stretch of the tree names, each once, in order: the same for the same object, so each is read once. */
const labelsOf = new WeakMap<object, readonly string[]>()

const NONE: readonly string[] = []

/** Numbers of footnotes by their labels. */
type Numbers = Map<string, number>

/** Numbers the notes of a text; gives the map of before where its numbers are still right. */
export type NumberFootnotes = (root: MarkdownRoot, before: Numbers) => Numbers

/** How the numbers of a map were found. */
interface Walk {
  readonly chunks: Chunks<Block>
  /** How many notes were named at the end of each chunk, as far as each of them had a number. */
  readonly ends: readonly number[]
  readonly footnotes: readonly Footnote[]
  /** Whether a note refers to a note. */
  readonly nested: boolean
}

const walks = new WeakMap<Numbers, Walk>()

/**
 * Numbers for the footnotes that the text names and the message has, in the order in which they are named first. New ones
 * go into the map of before; it is another one only when a number is no longer what it was. Reads only what is new since
 * the last time.
 */
export const numberFootnotes: NumberFootnotes = (root, before) => {
  if (root.footnotes.length === 0) return before.size === 0 ? before : new Map()
  return continued(root, before, walks.get(before)) ? before : numbered(root)
}

function numbered(root: MarkdownRoot): Numbers {
  const numbers: Numbers = new Map()
  continued(root, numbers)
  return numbers
}

/** Whether the previous numbers are still correct; adds numbers for labels that come after all of them. */
function continued({ children, footnotes }: MarkdownRoot, numbers: Numbers, last?: Walk): boolean {
  let same = 0
  while (last && same < last.ends.length && children[same] === last.chunks[same]) same++
  const ends = last?.ends.slice(0, same) ?? []
  let named = ends.at(-1) ?? 0
  let numbered = true
  const name = (label: string): boolean => {
    let number = numbers.get(label)
    // The note of a label that is new is one of the last.
    if (number === undefined && footnotes.findLast((footnote) => footnote.label === label))
      numbers.set(label, (number = numbers.size + 1))
    if (number === undefined) numbered = false
    if (number === named + 1) named++
    return number === undefined || number <= named
  }
  for (const chunk of children.slice(same)) {
    if (!inChunk(chunk, inBlock).every(name)) return false
    if (numbered) ends.push(named)
  }
  const nested = refersToNotes(footnotes, last)
  if (nested) {
    const said = new Map(footnotes.map((footnote) => [footnote.label, inFootnote(footnote)]))
    // A note can refer to further notes: iteration over a Map includes entries added during it.
    for (const label of numbers.keys()) if (said.get(label)?.every(name) === false) return false
  }
  walks.set(numbers, { chunks: children, ends, footnotes, nested })
  return named === numbers.size
}

/** Whether a note refers to a note: reads those that are not the same as before. */
function refersToNotes(footnotes: readonly Footnote[], last: Walk | undefined): boolean {
  return (
    last?.nested === true ||
    footnotes.some((footnote, at) => footnote !== last?.footnotes[at] && inFootnote(footnote).length > 0)
  )
}

function remembered(node: object, read: () => Iterable<string>): readonly string[] {
  let labels = labelsOf.get(node)
  if (!labels) {
    const found = [...new Set(read())]
    labels = found.length === 0 ? NONE : found
    labelsOf.set(node, labels)
  }
  return labels
}

function inChunk<Item>(chunk: Chunk<Item>, read: (item: Item) => readonly string[]): readonly string[] {
  return remembered(chunk, () => chunk.items.flatMap(read))
}

function inChunks<Item>(chunks: Chunks<Item>, read: (item: Item) => readonly string[]): readonly string[] {
  return chunks.flatMap((chunk) => inChunk(chunk, read))
}

function inFootnote(footnote: Footnote): readonly string[] {
  return remembered(footnote, () => inChunks(footnote.children, inBlock))
}

function inBlock(block: Block): readonly string[] {
  return remembered(block, () => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return inSegments(block.segments)
      case 'quote':
        return inChunks(block.children, inBlock)
      case 'list':
        return inChunks(block.items, ({ children }) => inChunks(children, inBlock))
      case 'table': {
        const inRow = ({ cells }: typeof block.head): readonly string[] =>
          cells.flatMap(({ segments }) => inSegments(segments))
        return [...inRow(block.head), ...inChunks(block.rows, inRow)]
      }
      default:
        return NONE
    }
  })
}

function inSegments(segments: readonly InlineSegment[]): readonly string[] {
  return segments.flatMap((segment) => remembered(segment, () => segment.children.flatMap(inInline)))
}

function inInline(inline: Inline): readonly string[] {
  if (inline.type === 'footnote-reference') return [inline.label]
  return 'children' in inline ? inline.children.flatMap(inInline) : NONE
}
