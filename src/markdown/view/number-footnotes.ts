import type { Block, Chunks, Inline, InlineSegment, MarkdownRoot } from '../tree.ts'

/** The labels a stretch of the tree names, each once, in order: the same for the same object, so each is read once. */
const labelsOf = new WeakMap<object, readonly string[]>()

const NONE: readonly string[] = []

/**
 * Numbers for the footnotes that the text names and the message has, in the order in which they are named first. Reads
 * only what is new since the last time.
 */
export function numberFootnotes({ children, footnotes }: MarkdownRoot): Map<string, number> {
  const numbers = new Map<string, number>()
  if (footnotes.length === 0) return numbers
  const known = new Map(footnotes.map(({ label, children: said }) => [label, said]))
  const name = (labels: readonly string[]): void => {
    for (const label of labels) if (known.has(label) && !numbers.has(label)) numbers.set(label, numbers.size + 1)
  }
  name(inChunks(children, inBlock))
  // A note may name further ones: a map goes on with what is added while it is read.
  for (const label of numbers.keys()) name(inChunks(known.get(label) ?? [], inBlock))
  return numbers
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

function inChunks<Item extends object>(chunks: Chunks<Item>, read: (item: Item) => Iterable<string>): readonly string[] {
  return chunks.flatMap((chunk) => remembered(chunk, () => chunk.items.flatMap((item) => [...read(item)])))
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
        const inRow = ({ cells }: typeof block.head): readonly string[] => cells.flatMap(({ segments }) => inSegments(segments))
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
