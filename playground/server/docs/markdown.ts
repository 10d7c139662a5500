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
    const slug =
      words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s+/g, '-') || 'section'
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

/** The same with code as code spans, for text that is quoted as markdown. */
export function textWithCode(token: MarkdownToken | undefined): string {
  const words = (token?.children ?? []).map((child) => {
    if (child.type === 'softbreak' || child.type === 'hardbreak') return ' '
    if (child.type === 'code_inline') return codeSpan(child.content)
    // An apostrophe stands in for a backtick that is a letter of the text, so that backticks are always code.
    return child.type === 'text' || child.type === 'text_special' ? child.content.replaceAll('`', '’') : ''
  })
  return words.join('').replaceAll(/\s+/g, ' ').trim()
}

/** One backtick more on either side than are together inside. */
function codeSpan(code: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length)))
  return /^`|`$/.test(code) ? `${fence} ${code} ${fence}` : fence + code + fence
}

const CODE_SPAN = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g

/** What is between code spans goes through one function, and each span, with its code alone, through another. */
export function mapCodeSpans(
  text: string,
  between: (text: string) => string,
  span: (whole: string, code: string) => string,
): string {
  let end = 0
  let mapped = ''
  for (const match of text.matchAll(CODE_SPAN)) {
    const [whole, , code = ''] = match
    mapped += between(text.slice(end, match.index)) + span(whole, /^ `|` $/.test(code) ? code.slice(1, -1) : code)
    end = match.index + whole.length
  }
  return mapped + between(text.slice(end))
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
