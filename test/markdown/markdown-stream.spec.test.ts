import { tests } from 'commonmark-spec'
import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import { pieces } from './line-grammar.ts'
import { streamFault } from './stream-check.ts'
import { toHtml } from './to-html.ts'

const EXAMPLES = tests.map(({ number, section, markdown, html }) => ({
  number,
  section,
  markdown: markdown.replaceAll('→', '\t'),
  html: html.replaceAll('→', '\t'),
}))

describe('the examples of CommonMark 0.31', () => {
  it('are all there', () => {
    expect(EXAMPLES).toHaveLength(652)
  })

  it.each(EXAMPLES)('$number, $section', ({ markdown, html }) => {
    // Five of them have an address without brackets, which GitHub makes a link of and CommonMark does not.
    expect(toHtml(parseMarkdown(markdown), { bareLinks: false })).toBe(html)
  })
})

describe('the examples that come one code unit after the other', () => {
  it.each([...new Set(EXAMPLES.map(({ section }) => section))])(
    'end as the same tree and never take back what is settled: %s',
    (section) => {
      for (const { markdown } of EXAMPLES.filter((example) => example.section === section)) {
        expect(streamFault(pieces(markdown))).toBeUndefined()
        expect(streamFault(pieces(markdown.replaceAll('\n', '\r\n')))).toBeUndefined()
      }
    },
  )
})
