import { addressOf, type DocsPage } from './docs-page.ts'
import { parseMarkdown, plainText, textWithCode, type MarkdownToken } from './markdown.ts'

/** A piece of a section that can be quoted by itself. Code in a sentence keeps its backticks; no other markup is left. */
export type Block =
  | { readonly kind: 'prose'; readonly text: string }
  /** A list, or the rows of a table. */
  | { readonly kind: 'items'; readonly items: readonly string[]; readonly ordered: boolean }
  | { readonly kind: 'code'; readonly code: string; readonly language: string }

/** What is under one heading, down to the next. */
export interface Section {
  /** Address with fragment, such as `/docs/errors#severity`; unique. */
  readonly id: string
  readonly pageTitle: string
  /** The same as `pageTitle` for what is at the top of a page. */
  readonly heading: string
  readonly blocks: readonly Block[]
}

/** Cuts a page into its sections. Headings with nothing of their own are left out. */
export function sectionsOf(page: DocsPage): Section[] {
  const tokens = parseMarkdown(page.markdown)
  const address = page.address ?? addressOf(page.path)
  const firstHeading = tokens.findIndex((token) => token.type === 'heading_open')
  const pageTitle = plainText(tokens[firstHeading + 1]) || page.path
  const sections: { readonly id: string; readonly heading: string; readonly blocks: Block[] }[] = [
    { id: address, heading: pageTitle, blocks: [] },
  ]
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (!token) continue
    if (token.type === 'heading_open') {
      sections.push({
        id: `${address}#${token.attrGet('id') ?? ''}`,
        heading: plainText(tokens[index + 1]),
        blocks: [],
      })
      index += 2
      continue
    }
    const end = endOf(tokens, index)
    const block = blockOf(tokens.slice(index, end + 1))
    if (block) sections.at(-1)?.blocks.push(block)
    index = end
  }
  return sections.filter((section) => section.blocks.length > 0).map((section) => ({ ...section, pageTitle }))
}

/** All the words of a block, for searching. */
export function wordsOf(block: Block): string {
  return block.kind === 'prose' ? block.text : block.kind === 'code' ? block.code : block.items.join('\n')
}

function endOf(tokens: readonly MarkdownToken[], start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index++) {
    depth += tokens[index]?.nesting ?? 0
    if (depth === 0) return index
  }
  return tokens.length - 1
}

function blockOf(tokens: readonly MarkdownToken[]): Block | undefined {
  const first = tokens[0]
  if (first?.type === 'fence' || first?.type === 'code_block')
    return { kind: 'code', code: first.content.trimEnd(), language: /^\w*/.exec(first.info)?.[0] ?? '' }
  if (first?.type === 'bullet_list_open') return { kind: 'items', items: listItems(tokens), ordered: false }
  if (first?.type === 'ordered_list_open') return { kind: 'items', items: listItems(tokens), ordered: true }
  if (first?.type === 'table_open') return { kind: 'items', items: tableRows(tokens), ordered: false }
  const text = inlineText(tokens)
  return text === '' ? undefined : { kind: 'prose', text }
}

function inlineText(tokens: readonly MarkdownToken[]): string {
  return tokens
    .filter((token) => token.type === 'inline')
    .map(textWithCode)
    .join(' ')
    .trim()
}

/** One line for each outer item, what is nested in it included. */
function listItems(tokens: readonly MarkdownToken[]): string[] {
  const outer = (tokens[0]?.level ?? 0) + 1
  const items: string[] = []
  let start = 0
  tokens.forEach((token, index) => {
    if (token.level !== outer) return
    if (token.type === 'list_item_open') start = index
    if (token.type === 'list_item_close') items.push(inlineText(tokens.slice(start, index)))
  })
  return items.filter((item) => item !== '')
}

/** `first cell: second cell`, or with the column's name before each cell where there are more than two. */
function tableRows(tokens: readonly MarkdownToken[]): string[] {
  const rows: string[][] = []
  tokens.forEach((token, index) => {
    if (token.type === 'tr_open') rows.push([])
    if (token.type === 'th_open' || token.type === 'td_open') rows.at(-1)?.push(textWithCode(tokens[index + 1]))
  })
  const [names = [], ...body] = rows
  return body.map(([first = '', ...rest]) => {
    const named = rest.map((cell, index) =>
      rest.length > 1 && names[index + 1] ? `${names[index + 1]} ${cell}` : cell,
    )
    return [first, named.join('; ')].filter((part) => part !== '').join(': ')
  })
}
