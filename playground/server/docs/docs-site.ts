import { posix } from 'node:path'
import { addressOf, type DocsPage } from './docs-page.ts'
import { parseMarkdown, plainText, renderMarkdown } from './markdown.ts'
import { docsStyle } from './docs-style.ts'

/** Nothing but the style sheet may be loaded, and nothing may run. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
const STYLE_ADDRESS = '/docs/page.css'

/** Answers GET under `/docs/`: the pages as HTML, their style sheet, and a list at `/docs/`. */
export function docsResponse(pathname: string, pages: readonly DocsPage[]): Response {
  if (pathname === STYLE_ADDRESS) return respond(200, 'text/css; charset=utf-8', docsStyle)
  const address = decodeAddress(pathname)
  if (address === '/docs') return html(200, 'Pages', `<h1>Pages</h1>\n${listOf(pages)}`, pages, address)
  const page = pages.find((each) => addressOf(each.path) === address)
  if (!page)
    return html(404, 'No such page', `<h1>No such page</h1>\n<p>These are here:</p>\n${listOf(pages)}`, pages, address)
  const tokens = parseMarkdown(page.markdown)
  return html(
    200,
    pageTitleOf(page),
    renderMarkdown(tokens, (href) => rewriteLink(href, page.path)),
    pages,
    address,
  )
}

/** `/docs/errors.md` and `/docs/errors/` are `/docs/errors` too. */
function decodeAddress(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replace(/\/$/, '').replace(/\.md$/, '')
  } catch {
    return pathname
  }
}

/** Links between files of the repository become links between pages. */
function rewriteLink(href: string, from: string): string {
  const [, path = '', fragment = ''] = /^([^#?]*)(#.*)?$/.exec(href) ?? []
  if (!path.endsWith('.md') || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return href
  return addressOf(posix.join(posix.dirname(from), path)) + fragment
}

function pageTitleOf(page: DocsPage): string {
  const tokens = parseMarkdown(page.markdown)
  return plainText(tokens[tokens.findIndex((token) => token.type === 'heading_open') + 1]) || page.path
}

function listOf(pages: readonly DocsPage[], current?: string): string {
  const items = pages.map((page) => {
    const address = addressOf(page.path)
    const mark = address === current ? ' aria-current="page"' : ''
    return `<li><a href="${escape(address)}"${mark}>${escape(pageTitleOf(page))}</a></li>`
  })
  return `<ul>\n${items.join('\n')}\n</ul>`
}

function html(status: number, title: string, body: string, pages: readonly DocsPage[], address: string): Response {
  const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · capstan</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">
</head>
<body>
<nav aria-label="Pages"><p><a href="/">capstan playground</a></p>${listOf(pages, address)}</nav>
<main>
${body}
</main>
</body>
</html>
`
  return respond(status, 'text/html; charset=utf-8', document)
}

function respond(status: number, type: string, body: string): Response {
  const headers = {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  }
  return new Response(body, { status, headers })
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
