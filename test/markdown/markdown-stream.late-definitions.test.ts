import { describe, expect, it } from 'vitest'
import { growInlines } from '../../src/markdown/inline/grow-inlines.ts'
import { createMarkdownStream, parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import type { MarkdownStream } from '../../src/markdown/markdown-stream.ts'
import type { Block, InlineSegment } from '../../src/markdown/inline/tree.ts'
import { NO_REFERENCES } from './inline-references.ts'
import { comparable } from './stream-check.ts'
import { itemsOf, toHtml } from './to-html.ts'

const PARAGRAPH = 'See [label] and more.\n\n'

/** A message that waits for its definition, which comes now. */
function defined(waiting: string): MarkdownStream {
  const stream = createMarkdownStream()
  stream.append(waiting)
  void stream.root
  stream.append('[label]: /url\n\n')
  return stream
}

function blocks(stream: MarkdownStream): readonly Block[] {
  return itemsOf(stream.root.children)
}

function linksIn(node: unknown): number {
  return JSON.stringify(node).split('"/url"').length - 1
}

/** How many of its blocks are other objects after each of these pieces. */
function madeAnew(stream: MarkdownStream, pieces: readonly string[]): number[] {
  return pieces.map((piece) => {
    const before = blocks(stream)
    stream.append(piece)
    const after = blocks(stream)
    return before.filter((block, index) => block !== after[index]).length
  })
}

describe('five thousand paragraphs that wait for one definition', () => {
  const waiting = PARAGRAPH.repeat(5000)

  it('are made again some at a time while more text comes, each of them once', () => {
    const stream = defined(waiting)
    const atOnce = linksIn(stream.root)
    const counts = madeAnew(
      stream,
      Array.from({ length: 40 }, () => 'on\n\n'),
    )
    expect(Math.max(atOnce, ...counts)).toBeLessThan(200)
    expect(Math.min(...counts.slice(0, 20))).toBeGreaterThan(100)
    expect(counts.reduce((sum, count) => sum + count, atOnce)).toBe(5000)
    expect(linksIn(stream.root)).toBe(5000)
  })

  it('are all made when the message has ended', () => {
    const stream = defined(waiting)
    stream.finish()
    expect(comparable(stream.root)).toBe(comparable(parseMarkdown(`${waiting}[label]: /url\n\n`)))
    expect(linksIn(stream.root)).toBe(5000)
  })

  it('are made again while one long line comes as well, and then stay the same objects', () => {
    const stream = defined(waiting)
    stream.append('> A quote [label] *of* '.repeat(20))
    madeAnew(
      stream,
      Array.from({ length: 20 }, () => 'many words '),
    )
    const seen = blocks(stream).slice(0, 5000)
    expect(linksIn(seen)).toBeGreaterThan(2000)
    expect(toHtml(stream.root)).toContain(`${'many words '.repeat(20).trim()}</p>`)
    const linked = seen.filter((block) => linksIn(block) > 0)
    stream.append('\n\nmore\n\n')
    stream.finish()
    const last = new Set(blocks(stream))
    expect(linked.filter((block) => !last.has(block))).toEqual([])
  })

  it('are all made at once by a piece that is as long as they are', () => {
    const stream = defined(waiting)
    stream.append('word '.repeat(60_000))
    expect(linksIn(stream.root)).toBe(5000)
  })
})

describe('a paragraph that is longer than what is made again at once', () => {
  it('has its links when the message has ended, and lets no other wait for it', () => {
    const stream = createMarkdownStream()
    stream.append(`${'[label] *a* '.repeat(1000)}\n\n`)
    for (const [piece, count] of [
      ['[label]\n\n', 0],
      ['[label]: /url\n\n', 1],
      ['more\n\n', 1],
    ] as const) {
      stream.append(piece)
      expect(linksIn(stream.root)).toBe(count)
    }
    stream.finish()
    expect(linksIn(stream.root)).toBe(1001)
  })
})

describe('a paragraph that had to settle where that is not exact', () => {
  function segments(stream: MarkdownStream): readonly InlineSegment[] {
    const within = (block: Block): readonly InlineSegment[] => {
      if (block.type === 'list')
        return itemsOf(block.items).flatMap(({ children }) => itemsOf(children).flatMap(within))
      if (block.type === 'table')
        return itemsOf(block.rows).flatMap(({ cells }) => cells.flatMap((cell) => cell.segments))
      return 'segments' in block ? block.segments : []
    }
    return blocks(stream).flatMap(within)
  }

  function closed(text: string): { readonly stream: MarkdownStream; readonly settled: readonly InlineSegment[] } {
    const stream = createMarkdownStream()
    for (let at = 0; at < text.length; at += 83) {
      stream.append(text.slice(at, at + 83))
      void stream.root
    }
    const settled = segments(stream).slice(0, -1)
    expect(settled.length).toBeGreaterThan(1)
    stream.append('\n\nmore')
    return { stream, settled }
  }

  it.each(
    ['', '# ', '- ', '|a|\n|-|\n'].flatMap((begin) =>
      ['*a_', '[', '*a [label] _b* `'].map((unit) => [begin, unit] as const),
    ),
  )('is not read again when it is over and the message is not, if it is long: %j %j', (begin, unit) => {
    const text = begin + unit.repeat(20_000 / unit.length)
    const { stream, settled } = closed(text)
    const now = new Set(segments(stream))
    expect(settled.filter((segment) => !now.has(segment))).toEqual([])
    stream.append(' [label]: /not\n\n[label]: /url\n')
    stream.finish()
    expect(comparable(stream.root)).toBe(comparable(parseMarkdown(`${text}\n\nmore [label]: /not\n\n[label]: /url\n`)))
  })

  it('is read again immediately if it is short', () => {
    const text = '*a_'.repeat(2500)
    expect(comparable(closed(text).stream.root)).toBe(comparable(parseMarkdown(`${text}\n\nmore`)))
  })
})

describe('a row of links or marks with a blank between them', () => {
  it.each(['[a](/b) ', '[label] ', '**a** ', '`a` ', '<b> ', '![a](/b) ', 'www.a.b ', '&amp; '])(
    'settles while it grows, so that no more of it than its end is left to read: %s',
    (unit) => {
      let text = ''
      let growth = growInlines(undefined, text, NO_REFERENCES)
      while (text.length < 8000) {
        text += unit.repeat(4)
        growth = growInlines(growth, text, NO_REFERENCES)
        expect(growth.tail.length).toBeLessThan(512 + 8 * unit.length)
      }
      expect(growth.exact).toBe(true)
    },
  )
})
