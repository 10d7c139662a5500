import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import '../../src/highlighting.css'
import { createHighlightedCode } from '../../src/components/highlight/highlighted-code.tsx'
import { MarkdownBlock, MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'

const POLICY = "default-src 'self'; style-src 'self'; script-src 'self'; require-trusted-types-for 'script'"
const CODE = [
  '/* how far',
  ' * apart */',
  'export async function spacing(width: number): Promise<string> {',
  "  return `${width * 11} m` + 'wide'",
  '}',
]

/** From here on the page allows what a strict host allows. What it forbids is in the list that comes back. */
function forbid(): string[] {
  const violations: string[] = []
  document.addEventListener(
    'securitypolicyviolation',
    ({ violatedDirective, sample }) => void violations.push(`${violatedDirective}: ${sample}`),
  )
  const meta = document.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = POLICY
  document.head.append(meta)
  return violations
}

describe('code in colour, under a strict policy', () => {
  it('stays where it was and is what it was, and breaks no rule', async () => {
    const violations = forbid()
    const code = createHighlightedCode()
    await render(
      <MarkdownProvider renderers={{ code }}>
        <MarkdownBlock content={`\`\`\`ts\n${CODE.join('\n')}\n\`\`\``} />
      </MarkdownProvider>,
    )
    const block = page.getByRole('group', { name: 'ts' }).element()
    const text = block.querySelector('code')
    const before = text?.getBoundingClientRect()
    expect(block.querySelector('[data-token]')).toBeNull()

    await expect.poll(() => block.querySelectorAll('[data-token]').length, { timeout: 30_000 }).toBeGreaterThan(8)
    await expect
      .poll(() => block.querySelector('code')?.lastChild?.lastChild?.lastChild instanceof Text && text?.textContent)
      .toBe(CODE.join('\n'))

    expect(text?.getBoundingClientRect()).toEqual(before)
    const colour = (kind: string): string =>
      getComputedStyle(block.querySelector(`[data-token='${kind}']`) ?? block).color
    expect(new Set(['keyword', 'string', 'number', 'comment', 'name'].map(colour)).size).toBe(5)
    expect(block.querySelector('[style]')).toBeNull()
    expect(violations).toEqual([])
  })
})
