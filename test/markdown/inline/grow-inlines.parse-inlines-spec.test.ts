import { addAllSyntax } from '../../../src/markdown/all-syntax.ts'
import { tests } from 'commonmark-spec'
import { describe, expect, it } from 'vitest'
import { inlineHtml } from '../inline-html.ts'
import { parseInlines } from '../../../src/markdown/inline/grow-inlines.ts'
import { readDefinitions } from '../inline-references.ts'

addAllSyntax()

const SECTIONS = [
  'Backslash escapes',
  'Entity and numeric character references',
  'Code spans',
  'Emphasis and strong emphasis',
  'Links',
  'Images',
  'Autolinks',
  'Raw HTML',
  'Hard line breaks',
  'Soft line breaks',
  'Textual content',
  'Inlines',
  'Precedence',
  'Link reference definitions',
  'Tabs',
  'Paragraphs',
]

/** Examples that are one paragraph and definitions: everything else is for the blocks to read. */
const EXAMPLES = tests
  .map((example) => ({
    ...example,
    markdown: example.markdown.replaceAll('→', '\t'),
    html: example.html.replaceAll('→', '\t'),
  }))
  .filter(
    ({ section, html }) =>
      SECTIONS.includes(section) && /^<p>[^]*<\/p>\n$/.test(html) && html.split('<p>').length === 2,
  )

describe('the examples of CommonMark that are one paragraph', () => {
  it('are most of what it says of inlines', () => expect(EXAMPLES.length).toBeGreaterThan(300))

  it.each(EXAMPLES)('$number, $section: $markdown', ({ markdown, html }) => {
    const { paragraph, references } = readDefinitions(markdown)
    expect(`<p>${inlineHtml(parseInlines(paragraph, references))}</p>\n`).toBe(html)
  })
})
