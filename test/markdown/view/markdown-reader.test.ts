import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../../src/markdown/parse-markdown.ts'
import { createMarkdownReader } from '../../../src/markdown/view/markdown-reader.ts'

const FIRST = '# Rivers\n\nThey *meander*.\n\n'

describe('a text that grows without being live', () => {
  it('keeps the blocks that are complete, and parses what is new only', () => {
    const reader = createMarkdownReader()
    reader.read(FIRST, 'complete')
    const grown = reader.read(`${FIRST}And bend`, 'complete')
    const more = reader.read(`${FIRST}And bend again **and`, 'complete')
    expect(more.isGrowing).toBe(true)
    expect(more.root.children[0]?.items[0]).toBe(grown.root.children[0]?.items[0])
    expect(JSON.stringify(more.root)).not.toContain('**')
  })

  it('is what the whole text is once it has settled, with the same blocks', () => {
    const reader = createMarkdownReader()
    const text = `${FIRST}And bend **again`
    reader.read(FIRST, 'complete')
    const growing = reader.read(text, 'complete')
    const settled = reader.read(text, 'settled')
    expect(settled.isGrowing).toBe(false)
    expect(settled.root).toEqual(parseMarkdown(text))
    expect(settled.root.children[0]?.items[0]).toBe(growing.root.children[0]?.items[0])
    expect(reader.read(text, 'settled')).toBe(settled)
  })

  it('grows again after it has settled', () => {
    const reader = createMarkdownReader()
    reader.read(FIRST, 'complete')
    reader.read(`${FIRST}One`, 'complete')
    reader.read(`${FIRST}One`, 'settled')
    expect(reader.read(`${FIRST}One **two`, 'complete').isGrowing).toBe(true)
    expect(reader.read(`${FIRST}One **two`, 'settled').root).toEqual(parseMarkdown(`${FIRST}One **two`))
  })
})

describe('a text that is not growing', () => {
  it('is parsed as a whole from the first read on', () => {
    const text = `${FIRST}**half`
    expect(createMarkdownReader().read(text, 'complete')).toMatchObject({ isGrowing: false, root: parseMarkdown(text) })
  })

  it('is parsed as a whole when another text takes its place', () => {
    const reader = createMarkdownReader()
    reader.read(FIRST, 'complete')
    const other = '1. **half'
    expect(reader.read(other, 'complete')).toMatchObject({ isGrowing: false, root: parseMarkdown(other) })
  })

  it('is finished in the read that says so, also when it brings the last words', () => {
    const reader = createMarkdownReader()
    reader.read(FIRST, 'live')
    const text = `${FIRST}The **end`
    expect(reader.read(text, 'complete')).toMatchObject({ isGrowing: false, root: parseMarkdown(text) })
  })
})
