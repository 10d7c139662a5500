import { describe, expect, it } from 'vitest'
import { openPlayground } from '../../open-playground.ts'

const PAGES = [
  {
    path: 'README.md',
    markdown: '# Boats\n\nRead on in [Mooring](docs/mooring.md#knots) or [elsewhere](https://boats.example/).',
  },
  {
    path: 'docs/mooring.md',
    markdown: `# Mooring & more

<script>alert(1)</script>

Text with <img src=x onerror=alert(1)> and \`<b>code</b>\`.

[bad](javascript:alert(1)) ![pic](https://tracker.example/p.png)

## Knots

## Knots

| a | b |
|:-:|--:|
| 1 | <i>2</i> |
`,
  },
]

async function page(path: string): Promise<{ status: number; html: string; headers: Headers }> {
  const { origin } = await openPlayground({ pages: PAGES })
  const response = await fetch(origin + path)
  return { status: response.status, html: await response.text(), headers: response.headers }
}

describe('the pages for people', () => {
  it('open under their name, with or without .md', async () => {
    for (const path of ['/docs/mooring', '/docs/mooring.md', '/docs/mooring/', '/docs/readme'])
      expect((await page(path)).status).toBe(200)
    expect((await page('/docs/mooring')).html).toContain('<title>Mooring &amp; more · capstan</title>')
  })

  it('give every heading its own address', async () => {
    const { html } = await page('/docs/mooring')
    expect(html).toContain('<h2 id="knots">')
    expect(html).toContain('<h2 id="knots-1">')
  })

  it('lead from page to page', async () => {
    const { html } = await page('/docs/readme')
    expect(html).toContain('href="/docs/mooring#knots"')
    expect(html).toContain('href="https://boats.example/"')
    expect(html).toContain('<a href="/docs/readme" aria-current="page">')
  })

  it('run and load nothing that a page says', async () => {
    const { html, headers } = await page('/docs/mooring')
    expect(html).not.toMatch(/<script|onerror|<img|javascript:alert\(1\)"|style=|<i>/)
    expect(html).toContain('&lt;b&gt;code&lt;/b&gt;')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('have a style sheet, light and dark', async () => {
    const { html, headers } = await page('/docs/page.css')
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(html).toContain('light-dark(')
  })

  it('are listed where none is named, and where the name is wrong', async () => {
    expect((await page('/docs/')).html).toContain('href="/docs/mooring"')
    const lost = await page('/docs/nowhere')
    expect(lost.status).toBe(404)
    expect(lost.html).toContain('href="/docs/readme"')
    expect((await page('/docs/%E0%A4%A')).status).toBe(404)
  })
})
