import type { Excerpt } from './choose-excerpts.ts'
import type { DocsIndex, Question } from './docs-index.ts'
import type { Block, Section } from './sections.ts'
import { beginningOf } from './sentences.ts'
import { mapCodeSpans } from './markdown.ts'
import { uniqueTerms } from './terms.ts'

export interface Source {
  readonly source_id: string
  /** From the root of the site, such as `/docs/errors#severity`. */
  readonly address: string
  readonly title: string
  readonly snippet: string
  readonly confidence: number
}

export interface Answer {
  /** Paragraphs apart by an empty line, `[1]` after what the first source says. */
  readonly text: string
  readonly sources: readonly Source[]
}

/** Puts excerpts together, as markdown where the client wants it. Every word but the marks is from the pages. */
export function composeAnswer(excerpts: readonly Excerpt[], question: Question, markdown: boolean): Answer {
  const paragraphs = excerpts.flatMap((excerpt, index) => {
    const [first = '', ...rest] = marked(
      excerpt.passages.flatMap((passage) => passage.blocks),
      ` [${index + 1}]`,
      markdown,
    )
    const asked = introduction(excerpt, question)
    return [(asked !== '' && markdown ? `**${literal(asked)}** ` : asked && `${asked} `) + first, ...rest]
  })
  return { text: paragraphs.join('\n\n'), sources: excerpts.map(sourceOf) }
}

/** A heading that asks is needed to understand "Yes."; one that asks what was asked would only repeat it. */
function introduction({ section, passages }: Excerpt, { terms }: Question): string {
  if (!section.heading.endsWith('?') || passages[0]?.position !== 0 || passages[0].blocks[0]?.kind === 'code') return ''
  const asks = uniqueTerms(section.heading)
  return asks.every((term) => terms.includes(term)) && asks.length === terms.length ? '' : section.heading
}

/** Where nothing sounds like the question, the beginnings of so many pages are offered. */
const MOST_OFFERED = 3

/** Says that the pages have no answer, and leads to where one may be instead. */
export function composeNothingFound(
  index: DocsIndex,
  question: Question,
  { asked, markdown, origin }: { readonly asked: string; readonly markdown: boolean; readonly origin: string },
): string {
  if (index.passageCount === 0) return 'There are no docs to search yet.'
  const said = asked.trim().slice(0, 120)
  const subject = said === '' ? 'that' : `“${markdown ? literal(said) : said}”`
  const closest = index.closestHeadings(question)
  const offered = closest.length > 0 ? closest : index.pageStarts.slice(0, MOST_OFFERED)
  const links = offered.map((section) => {
    const address = new URL(section.id, origin).href
    return markdown ? `- [${literal(sectionTitle(section))}](${address})` : `- ${sectionTitle(section)}: ${address}`
  })
  return `I couldn’t find an answer to ${subject} in the docs. Try:\n\n${links.join('\n')}`
}

/** Where a section is, for people. */
export function sectionTitle({ heading, pageTitle }: Section): string {
  return heading === pageTitle ? heading : `${pageTitle} › ${heading}`
}

/** The mark goes to the end of the last paragraph that is not code, so that code can be copied. */
function marked(blocks: readonly Block[], mark: string, markdown: boolean): string[] {
  const last = blocks.findLastIndex((block) => block.kind !== 'code')
  const texts = blocks.map(
    (block, index) => (markdown ? asMarkdown(block) : writtenOut(block)) + (index === last ? mark : ''),
  )
  return last === -1 ? [...texts, mark.trim()] : texts
}

function writtenOut(block: Block): string {
  if (block.kind === 'prose') return withoutMarks(block.text)
  if (block.kind === 'code') return block.code
  return listed({ ...block, items: block.items.map(withoutMarks) })
}

function listed({ items, ordered }: Extract<Block, { kind: 'items' }>): string {
  return items.map((item, index) => `${ordered ? `${index + 1}.` : '-'} ${item}`).join('\n')
}

function asMarkdown(block: Block): string {
  if (block.kind === 'prose') return literal(block.text)
  if (block.kind === 'items') return listed({ ...block, items: block.items.map(literal) })
  // One longer than what is in it, so that nothing in it ends it.
  const fence = '`'.repeat(Math.max(3, ...(block.code.match(/`+/g) ?? []).map(({ length }) => length + 1)))
  return `${fence}${block.language}\n${block.code}\n${fence}`
}

/** The words of a page: code stays code, and what else looks like a mark is none. */
function literal(text: string): string {
  const escaped = mapCodeSpans(
    text,
    (between) => between.replaceAll(/[\\`*_[\]<>~|]/g, '\\$&'),
    (whole) => whole,
  )
  return escaped.replace(/^(?=[#+-])/, '\\').replace(/^(\d+)(?=[.)])/, '$1\\')
}

function withoutMarks(text: string): string {
  return mapCodeSpans(
    text,
    (between) => between,
    (_, code) => code,
  )
}

function sourceOf({ section, confidence, passages }: Excerpt): Source {
  const blocks = passages.flatMap((passage) => passage.blocks)
  const block = blocks.find((each) => each.kind === 'prose') ?? blocks[0]
  const text =
    block?.kind === 'prose' ? block.text : block?.kind === 'items' ? block.items.join('; ') : (block?.code ?? '')
  return {
    source_id: section.id,
    address: section.id,
    title: sectionTitle(section),
    snippet: withoutMarks(beginningOf(text, 60, 200)),
    confidence,
  }
}
