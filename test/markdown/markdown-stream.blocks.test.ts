import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import type { Block, ListItem } from '../../src/markdown/inline/tree.ts'
import { pieces } from './line-grammar.ts'
import { streamFault } from './stream-check.ts'
import { itemsOf, toHtml } from './to-html.ts'

/** How many containers are in each other. */
function depth(blocks: readonly (Block | ListItem)[]): number {
  return Math.max(
    0,
    ...blocks.map((block) => {
      if (block.type === 'list') return depth(itemsOf(block.items))
      return block.type === 'quote' || block.type === 'item' ? 1 + depth(itemsOf(block.children)) : 0
    }),
  )
}

describe('containers in each other', () => {
  it.each(['- ', '>', '> ', '1. ', '- > '])('are at most a hundred; 10,000 of %j keep all their text', (marker) => {
    const root = parseMarkdown(`${marker.repeat(10_000)}deep\n\nafter`)
    expect(depth(itemsOf(root.children))).toBe(100)
    const html = toHtml(root)
    const containers = marker.startsWith('1') ? '1.' : (/[->]/.exec(marker)?.[0] ?? '')
    expect(
      html
        .replaceAll('&gt;', '>')
        .split('deep')[0]
        ?.replaceAll(/<[^>]*>/g, '')
        .split(containers).length,
    ).toBeGreaterThan(9000 / marker.trim().length)
    expect(html).toContain('deep')
    expect(html).toContain('after')
  })

  it('keep all their text over many lines too', () => {
    const lines = Array.from({ length: 400 }, (_, level) => `${'  '.repeat(level)}- word${level}.`)
    const html = toHtml(parseMarkdown(lines.join('\n')))
    for (let level = 0; level < lines.length; level++) expect(html).toContain(`word${level}.`)
    const quotes = Array.from({ length: 400 }, (_, level) => `${'>'.repeat(level)} word${level}.`)
    const quoted = toHtml(parseMarkdown(quotes.join('\n')))
    for (let level = 0; level < quotes.length; level++) expect(quoted).toContain(`word${level}.`)
  })

  it('stream as they parse', () => {
    expect(streamFault(pieces(`${'- '.repeat(150)}deep\n${'> '.repeat(150)}quoted\n\nafter`))).toBeUndefined()
  })
})

describe('a table', () => {
  it('makes up for 65,536 missing cells and for no more', () => {
    const root = parseMarkdown(`${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|1|\n'.repeat(200)}`)
    const table = itemsOf(root.children)[0]
    const cells = table?.type === 'table' ? itemsOf(table.rows).map((row) => row.cells.length) : []
    expect(cells).toHaveLength(200)
    expect(cells.filter((count) => count === 500)).toHaveLength(Math.floor(65_536 / 499))
    expect(cells.filter((count) => count !== 500).every((count) => count === 1)).toBe(true)
  })

  it('may have a head that is as long as it likes', () => {
    const root = parseMarkdown(`${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n`)
    expect(itemsOf(root.children)[0]?.type).toBe('table')
  })
})

describe('keys', () => {
  it('are where a block begins in the message', () => {
    const root = parseMarkdown('# h\n\n- a\n- b\n\n  > c\n\np\n| t |\n|-|\n| 1 |\n')
    const [heading, list, paragraph, table] = itemsOf(root.children)
    expect([heading?.key, list?.key, paragraph?.key, table?.key]).toEqual([0, 5, 21, 23])
    expect(list?.type === 'list' && itemsOf(list.items).map(({ key }) => key)).toEqual([5, 9])
    expect(table?.type === 'table' && [table.head.key, ...itemsOf(table.rows).map(({ key }) => key)]).toEqual([23, 33])
  })

  it('of code lines too', () => {
    const code = itemsOf(parseMarkdown('```js x\na\n\nb\n```').children)[0]
    expect(code).toMatchObject({ type: 'code', info: 'js x', closed: true })
    expect(code?.type === 'code' && itemsOf(code.lines)).toEqual([
      { key: 8, text: 'a' },
      { key: 10, text: '' },
      { key: 11, text: 'b' },
    ])
  })
})

describe('lines that take long to read in other ways', () => {
  it.each([
    ['blanks in a delimiter row', `a\n-${' '.repeat(50_000)}:`],
    ['blanks in a cell', `|a|\n|-|\n|${' '.repeat(50_000)}x${' '.repeat(50_000)}y|`],
    ['blanks in a tag', `<a${' '.repeat(50_000)}b${' '.repeat(50_000)}c`],
    ['blanks in a heading', `#${' '.repeat(50_000)}a${' '.repeat(50_000)}b`],
    ['marks of lists and a letter', `${'- '.repeat(50_000)}x`],
    ['a title without an end', `[a]: b "${'a\n'.repeat(30_000)}`],
    ['definitions in one paragraph', '[a]: /b\n'.repeat(20_000)],
    ['blank lines in an item', `- a\n${'\n'.repeat(100_000)}  b`],
  ])('are read in the time their length takes: %s', (_, text) => {
    // Quadratic time is a hang here: the runner notices, no clock does.
    expect(itemsOf(parseMarkdown(text).children).length).toBeLessThan(3)
  })
})
