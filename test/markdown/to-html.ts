import type {
  Block,
  Chunks,
  Inline,
  InlineSegment,
  ListItem,
  MarkdownRoot,
  TableCell,
  TableRow,
} from '../../src/markdown/inline/tree.ts'

export interface HtmlOptions {
  /** Whether an address without brackets is a link. */
  readonly bareLinks: boolean
}

/** The tree as the HTML that the examples of the specifications are written in. For tests: nobody judges addresses here. */
export function toHtml(root: MarkdownRoot, options: HtmlOptions = { bareLinks: true }): string {
  return new HtmlWriter(options).write(root)
}

class HtmlWriter {
  private readonly options: HtmlOptions
  private out = ''

  constructor(options: HtmlOptions) {
    this.options = options
  }

  write({ children, footnotes }: MarkdownRoot): string {
    this.blocks(children, false)
    for (const { label, children } of footnotes) {
      this.out += `<footnote label="${escapeHtml(label)}">\n`
      this.blocks(children, false)
      this.out += '</footnote>\n'
    }
    return this.out
  }

  private line(): void {
    if (this.out !== '' && !this.out.endsWith('\n')) this.out += '\n'
  }

  private blocks(children: Chunks<Block>, tight: boolean): void {
    for (const block of itemsOf(children)) this.block(block, tight)
  }

  private block(block: Block, tight: boolean): void {
    if (block.type === 'paragraph' && tight) {
      this.out += this.inlines(block.segments)
      return
    }
    this.line()
    switch (block.type) {
      case 'paragraph':
        this.out += `<p>${this.inlines(block.segments)}</p>\n`
        return
      case 'heading':
        this.out += `<h${block.level}>${this.inlines(block.segments)}</h${block.level}>\n`
        return
      case 'thematic-break':
        this.out += '<hr />\n'
        return
      case 'code': {
        const language = /^\S+/.exec(block.info)?.[0]
        const text = itemsOf(block.lines)
          .map((line) => `${escapeHtml(line.text)}\n`)
          .join('')
        this.out += `<pre><code${language === undefined ? '' : ` class="language-${escapeHtml(language)}"`}>${text}</code></pre>\n`
        return
      }
      case 'html':
        this.out += itemsOf(block.lines)
          .map((line) => line.text)
          .join('\n')
        this.line()
        return
      case 'quote':
        this.out += '<blockquote>\n'
        this.blocks(block.children, false)
        this.out += '</blockquote>\n'
        return
      case 'list': {
        const tag = block.ordered ? 'ol' : 'ul'
        this.out += `<${tag}${block.ordered && block.start !== 1 ? ` start="${block.start}"` : ''}>\n`
        for (const item of itemsOf(block.items)) this.item(item, block.tight)
        this.out += `</${tag}>\n`
        return
      }
      case 'table':
        this.out += '<table>\n<thead>\n'
        this.row(block.head, 'th', block.align)
        this.out += '</thead>\n'
        if (block.rows.length > 0) {
          this.out += '<tbody>\n'
          for (const row of itemsOf(block.rows)) this.row(row, 'td', block.align)
          this.out += '</tbody>\n'
        }
        this.out += '</table>\n'
    }
  }

  private item(item: ListItem, tight: boolean): void {
    this.out += '<li>'
    const box =
      item.task === undefined
        ? ''
        : `<input type="checkbox" disabled=""${item.task === 'done' ? ' checked=""' : ''} /> `
    const before = this.out.length
    this.blocks(item.children, tight)
    // The box is in the item's first paragraph.
    const content = this.out.slice(before)
    this.out =
      this.out.slice(0, before) + (/^\n?<p>/.test(content) ? content.replace('<p>', `<p>${box}`) : box + content)
    this.out += '</li>\n'
  }

  private inlines(segments: readonly InlineSegment[]): string {
    return segments.map(({ children }) => children.map((child) => inlineToHtml(child, this.options)).join('')).join('')
  }

  private row({ cells }: TableRow, tag: 'th' | 'td', align: readonly (string | undefined)[]): void {
    this.out += '<tr>\n'
    cells.forEach((cell: TableCell, column) => {
      const side = align[column]
      this.out += `<${tag}${side === undefined ? '' : ` align="${side}"`}>${this.inlines(cell.segments)}</${tag}>\n`
    })
    this.out += '</tr>\n'
  }
}

export function itemsOf<Item>(chunks: Chunks<Item>): readonly Item[] {
  return chunks.flatMap(({ items }) => items)
}

function inlineToHtml(inline: Inline, { bareLinks }: HtmlOptions): string {
  const inside = (children: readonly Inline[]): string =>
    children.map((child) => inlineToHtml(child, { bareLinks })).join('')
  switch (inline.type) {
    case 'text':
      return escapeHtml(inline.text)
    case 'softbreak':
      return '\n'
    case 'break':
      return '<br />\n'
    case 'code':
      return `<code>${escapeHtml(inline.text)}</code>`
    case 'emphasis':
      return `<em>${inside(inline.children)}</em>`
    case 'strong':
      return `<strong>${inside(inline.children)}</strong>`
    case 'strikethrough':
      return `<del>${inside(inline.children)}</del>`
    case 'sub':
    case 'sup':
    case 'kbd':
      return `<${inline.type}>${inside(inline.children)}</${inline.type}>`
    case 'link':
      return inline.bare === true && !bareLinks
        ? inside(inline.children)
        : `<a href="${escapeHtml(inline.url)}"${titleToHtml(inline.title)}>${inside(inline.children)}</a>`
    case 'image':
      return `<img src="${escapeHtml(inline.url)}" alt="${escapeHtml(inline.alt)}"${titleToHtml(inline.title)} />`
    case 'footnote-reference':
      return `<sup>${escapeHtml(inline.label)}</sup>`
    case 'math':
      return `<math${inline.display ? ' display="block"' : ''}>${escapeHtml(inline.text)}</math>`
    case 'html':
      return inline.text
  }
}

function titleToHtml(title: string | undefined): string {
  return title === undefined ? '' : ` title="${escapeHtml(title)}"`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
