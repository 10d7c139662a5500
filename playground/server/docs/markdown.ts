import markdownIt from 'markdown-it'

const parser = markdownIt({ html: true, linkify: false, typographer: false })

export type MarkdownToken = ReturnType<typeof parser.parse>[number]

/** Parses a page. Every heading gets an `id`: its words in lower case, numbered where two are alike. */
export function parseMarkdown(markdown: string): MarkdownToken[] {
  const tokens = parser.parse(markdown, {})
  const taken = new Map<string, number>()
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return
    const words = plainText(tokens[index + 1])
    const slug = words.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(/\s+/g, '-') || 'section'
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
  })
  return tokens
}

/** The words of an inline token without any markup; pictures have none. */
export function plainText(token: MarkdownToken | undefined): string {
  const words = (token?.children ?? []).map((child) => {
    if (child.type === 'softbreak' || child.type === 'hardbreak') return ' '
    return child.type === 'text' || child.type === 'code_inline' || child.type === 'text_special' ? child.content : ''
  })
  return words.join('').replaceAll(/\s+/g, ' ').trim()
}

/** Turns tokens into HTML. Raw HTML is left out; links with `javascript:` and the like never were parsed as links. */
export function renderMarkdown(tokens: MarkdownToken[], rewriteLink: (href: string) => string): string {
  for (const token of tokens.flatMap((each) => each.children ?? [])) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null
    if (href !== null) token.attrSet('href', rewriteLink(String(href)))
  }
  return parser.renderer.render(tokens, parser.options, {})
}

parser.renderer.rules['html_block'] = () => ''
parser.renderer.rules['html_inline'] = () => ''
// The pages load nothing from elsewhere; the words that stand for a picture say enough.
parser.renderer.rules['image'] = (tokens, index) => `<em>${parser.utils.escapeHtml(plainText(tokens[index]))}</em>`
// Alignment would be an inline style, which a strict policy refuses.
parser.renderer.rules['th_open'] = () => '<th>'
parser.renderer.rules['td_open'] = () => '<td>'
