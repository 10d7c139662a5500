import type { MarkdownOptions } from '../../src/markdown/markdown-stream.ts'
import { createMarkdownStream, parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import type { Block, Inline, InlineSegment, ListItem, MarkdownRoot } from '../../src/markdown/inline/tree.ts'
import { itemsOf } from './to-html.ts'

type Settled = Block | ListItem

/** Streams a text and says what is wrong with what was shown or with what came out; undefined when nothing is. */
export function streamFault(
  pieces: readonly string[],
  options?: MarkdownOptions,
  whole: MarkdownRoot = parseMarkdown(pieces.join(''), options),
): string | undefined {
  const text = pieces.join('')
  const stream = createMarkdownStream(options)
  const settled = new Map<string, Settled>()
  const last = wordsOf(whole)
  const mayTakeBack = /[[<&\\]/.test(text)
  let read = ''
  for (const piece of pieces) {
    stream.append(piece)
    read += piece
    const root = stream.root
    // A line has ended only when the line end is: half of one may follow.
    const complete = read.replace(/\r$/, '').lastIndexOf('\n') + 1
    const fault = keysFault(root) ?? settledFault(root, settled, complete - (read.match(/\r\n/g)?.length ?? 0))
    if (fault !== undefined) return `after ${JSON.stringify(read)}: ${fault}`
    const words = wordsOf(root)
    if (!mayTakeBack && !last.startsWith(words))
      return `after ${JSON.stringify(read)}: ${JSON.stringify(words)} is shown and taken back`
  }
  stream.finish()
  const fault = settledFault(stream.root, settled, 0)
  if (fault !== undefined) return fault
  const [streamed, parsed] = [comparable(stream.root), comparable(whole)]
  return streamed === parsed ? undefined : `another tree:\n${streamed}\n${parsed}`
}

/** The tree in one string, without where the text of a leaf happened to be cut into segments. */
export function comparable(root: MarkdownRoot): string {
  return JSON.stringify(root, (name, value: unknown) => {
    if (name === 'segments' && Array.isArray(value))
      return joined((value as readonly InlineSegment[]).flatMap(({ children }) => children))
    return value
  })
}

/** Neighbours of text as one. */
function joined(inlines: readonly Inline[]): readonly Inline[] {
  const result: Inline[] = []
  for (const inline of inlines) {
    const before = result.at(-1)
    if (before?.type === 'text' && inline.type === 'text')
      result[result.length - 1] = { type: 'text', text: before.text + inline.text }
    else result.push(inline)
  }
  return result
}

/** Keys ascend among siblings, and no child begins before its parent. */
function keysFault(root: MarkdownRoot): string | undefined {
  const visit = (blocks: readonly Settled[], from: number): string | undefined => {
    let last = from - 1
    for (const block of blocks) {
      if (block.key <= last) return `${block.type} ${block.key} follows ${last}`
      last = block.key
      const fault = visit(childrenOf(block), block.key)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  let faults = visit(itemsOf(root.children), 0)
  for (const footnote of root.footnotes) faults ??= visit(itemsOf(footnote.children), footnote.key)
  return faults
}

/** A block with a sibling behind it that begins on a complete line is settled: from then on it is the same object. */
function settledFault(root: MarkdownRoot, settled: Map<string, Settled>, complete: number): string | undefined {
  const present = new Set<string>()
  const visit = (blocks: readonly Settled[]): string | undefined => {
    for (const [index, block] of blocks.entries()) {
      const name = `${block.type} ${block.key}`
      present.add(name)
      const before = settled.get(name)
      if (before !== undefined && before !== block) {
        // What was defined since may have made links in it, and nothing else.
        if (withoutInlines(before) !== withoutInlines(block) || JSON.stringify(before) === JSON.stringify(block))
          return `${name} is another object`
      }
      const next = blocks[index + 1]
      if (before !== undefined || (next !== undefined && next.key < complete)) settled.set(name, block)
      const fault = visit(childrenOf(block))
      if (fault !== undefined) return fault
    }
    return undefined
  }
  for (const { children } of [root, ...root.footnotes]) {
    const fault = visit(itemsOf(children))
    if (fault !== undefined) return fault
  }
  const gone = [...settled.keys()].find((name) => !present.has(name))
  return gone === undefined ? undefined : `${gone} is gone`
}

function withoutInlines(block: Settled): string {
  return JSON.stringify(block, (name, value: unknown) => (name === 'segments' ? undefined : value))
}

function childrenOf(block: Settled): readonly Settled[] {
  if (block.type === 'list') return itemsOf(block.items)
  return block.type === 'quote' || block.type === 'item' ? itemsOf(block.children) : []
}

/** The letters a reader sees, in order. */
function wordsOf(root: MarkdownRoot): string {
  const texts: string[] = []
  JSON.stringify(root.children, (name, value: unknown) => {
    if ((name === 'text' || name === 'alt') && typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('').replace(/[^\p{L}]/gu, '')
}
