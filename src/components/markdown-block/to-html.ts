import { safeLink, safeMedia } from '../../base/safe-url.ts'
import type {
  MathSyntax,
  Block,
  Chunks,
  Inline,
  InlineSegment,
  List,
  ListItem,
  Table,
  TableRow,
} from '../../markdown/inline/tree.ts'
import { codeBlockText } from '../../markdown/view/block-view.tsx'
import { directionOf, eachOf } from '../../markdown/view/direction-of.ts'
import { footnoteCode } from '../../markdown/view/footnote-code.ts'
import { inlineText, whereItLeads } from '../../markdown/view/inline-view.tsx'
import { createMarkdownReader } from '../../markdown/view/markdown-reader.ts'
import { showHidden } from '../../base/text.ts'
import type { MessagePart } from '../../state/turn.ts'
import { collectCitations, sourceTitle } from '../citation-block/collect-citations.ts'

type Numbers = ReadonlyMap<string, number>

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? '')
}

/**
 * An answer as HTML for other programs: elements and the addresses of links that the page shows as well, its sources at the end, and
 * no other attributes than directions, alignments and numbers. Tags in its text are text.
 *
 * @param math how formulas are written. Absent: text between dollar signs is text
 */
export function toHtml(parts: readonly MessagePart[], math?: MathSyntax): string {
  const sources = collectCitations(parts).map((citation, index) => {
    const title = sourceTitle(citation).replace(/\s+/g, ' ')
    const { href } = safeLink(citation.uri) ?? {}
    return `${literal(`[${index + 1}] ${title}`)}${href === undefined ? '' : ` <${href}>`}`
  })
  return [...documentsOf(parts), sources.join('\\\n')].map((text) => documentOf(text, math)).join('')
}

/** Parts behind which a text continues. */
const WITHIN: ReadonlySet<MessagePart['type']> = new Set(['citations', 'state', 'gap'])

/** Each markdown document of an answer, as the page shows them. */
function documentsOf(parts: readonly MessagePart[]): readonly string[] {
  const documents: string[] = []
  let continues = false
  for (const part of parts) {
    if (part.type === 'markdown') documents.push(part.content)
    if (part.type === 'text') documents.push(continues ? (documents.pop() ?? '') + part.text : part.text)
    if (!WITHIN.has(part.type)) continues = part.type === 'text'
  }
  return documents
}

/** Text as markdown that means no more than the text. */
function literal(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
}

function documentOf(text: string, math: MathSyntax | undefined): string {
  const { root, numbers } = createMarkdownReader({ math, flavor: 'chat' }).read(
    text,
    'complete',
    footnoteCode()?.number,
  )
  const notes = root.footnotes
    .flatMap(({ label, children }) => {
      const number = numbers.get(label)
      return number === undefined ? [] : [{ number, children }]
    })
    .toSorted((left, right) => left.number - right.number)
    .map(({ children }) => `<li>${blocksOf(children, numbers)}</li>`)
  return blocksOf(root.children, numbers) + (notes.length > 0 ? `<ol>${notes.join('')}</ol>` : '')
}

function element(tag: string, content: string, attributes = ''): string {
  return `<${tag}${attributes}>${content}</${tag}>`
}

function blocksOf(chunks: Chunks<Block>, numbers: Numbers): string {
  return [...eachOf(chunks)].map((block) => blockOf(block, numbers)).join('')
}

function blockOf(block: Block, numbers: Numbers): string {
  const direction = directionOf(block) === 'rtl' ? ' dir="rtl"' : ''
  switch (block.type) {
    case 'paragraph':
      return element('p', segmentsOf(block.segments, numbers), direction)
    case 'heading':
      return element(`h${block.level}`, segmentsOf(block.segments, numbers), direction)
    case 'code':
      return element('pre', element('code', escaped(showHidden(codeBlockText(block.lines)))))
    case 'html':
      return element('p', escaped(codeBlockText(block.lines)).replaceAll('\n', '<br>'))
    case 'thematic-break':
      return '<hr>'
    case 'quote':
      return element('blockquote', blocksOf(block.children, numbers), direction)
    case 'list':
      return listOf(block, numbers, direction)
    case 'table':
      return tableOf(block, numbers, direction)
  }
}

function listOf({ ordered, start, tight, items }: List, numbers: Numbers, direction: string): string {
  const from = ordered && start !== 1 ? ` start="${start}"` : ''
  const all = [...eachOf(items)].map((item) => itemOf(item, tight, numbers))
  return element(ordered ? 'ol' : 'ul', all.join(''), from + direction)
}

/** Other programs show neither boxes that are controls nor whether a list is tight. */
function itemOf({ task, children }: ListItem, tight: boolean, numbers: Numbers): string {
  const box = task === undefined ? '' : task === 'done' ? '☑ ' : '☐ '
  const [first, ...rest] = [...eachOf(children)]
  const isText = first?.type === 'paragraph' && (tight || box !== '')
  const start = isText ? segmentsOf(first.segments, numbers) : first === undefined ? '' : blockOf(first, numbers)
  return element('li', box + start + rest.map((block) => blockOf(block, numbers)).join(''))
}

function tableOf({ align, head, rows }: Table, numbers: Numbers, direction: string): string {
  const rowOf = ({ cells }: TableRow, tag: 'th' | 'td'): string => {
    const all = align.map((side, column) => {
      const { segments = [] } = cells[column] ?? {}
      return element(tag, segmentsOf(segments, numbers), side === undefined ? '' : ` align="${side}"`)
    })
    return element('tr', all.join(''))
  }
  const body = [...eachOf(rows)].map((row) => rowOf(row, 'td')).join('')
  return element('table', element('thead', rowOf(head, 'th')) + element('tbody', body), direction)
}

function segmentsOf(segments: readonly InlineSegment[], numbers: Numbers): string {
  return segments.map(({ children }) => inlinesOf(children, numbers)).join('')
}

function inlinesOf(inlines: readonly Inline[], numbers: Numbers): string {
  return inlines.map((inline) => inlineOf(inline, numbers)).join('')
}

const TAGS = { emphasis: 'em', strong: 'strong', strikethrough: 'del', sub: 'sub', sup: 'sup', kbd: 'kbd' } as const

function inlineOf(inline: Inline, numbers: Numbers): string {
  switch (inline.type) {
    case 'text':
    case 'html':
      return escaped(inline.text)
    case 'softbreak':
      return '\n'
    case 'break':
      return '<br>'
    case 'code':
      return element('code', escaped(showHidden(inline.text)))
    case 'link':
      return linkOf(inline.url, inlinesOf(inline.children, numbers), inlineText(inline.children))
    case 'image': {
      // A picture would be loaded by whatever it is pasted into: its words lead to it.
      const words = inline.alt || inline.url
      return safeMedia(inline.url) ? linkOf(inline.url, escaped(words), words) : escaped(inline.alt)
    }
    case 'math':
      return escaped(inline.source)
    case 'footnote-reference': {
      const number = numbers.get(inline.label)
      return number === undefined ? escaped(`[^${inline.label}]`) : element('sup', `${number}`)
    }
    default:
      return element(TAGS[inline.type], inlinesOf(inline.children, numbers))
  }
}

/** A link to where a link of the page may lead, else its words; with the host where they name another one. */
function linkOf(url: string, content: string, words: string): string {
  const safe = safeLink(url)
  if (safe === undefined) return content
  const host = whereItLeads(safe, words, url)
  return element('a', host === undefined ? content : `${content} (${escaped(host)})`, ` href="${escaped(safe.href)}"`)
}
