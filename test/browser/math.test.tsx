import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import '../../src/formulas.css'
import { MarkdownBlock, MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../src/components/markdown-block/rich-text-engine.tsx'
import { createMath } from '../../src/components/create-math.tsx'

const POLICY = "default-src 'self'; style-src 'self'; script-src 'self'; require-trusted-types-for 'script'"
const RENDERERS = { math: createMath() }

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

async function show(content: string): Promise<HTMLElement> {
  const { container } = await render(
    <MarkdownProvider engine={markdownEngine} renderers={RENDERERS}>
      <MarkdownBlock content={content} />
    </MarkdownProvider>,
  )
  await expect.poll(() => container.querySelector('math')).not.toBeNull()
  return container
}

describe('formulas in a browser, under a strict policy', () => {
  it('are laid out as formulas, take no space for their source, and break no rule', async () => {
    const violations = forbid()
    const container = await show(
      'So $\\frac{a}{b}$ holds.\n\n$$\n\\begin{aligned} a &= b \\\\ ccc &= d \\end{aligned}\n$$',
    )
    const box = (selector: string, at = 0): DOMRect => {
      const element = container.querySelectorAll(selector)[at]
      if (!element) throw new Error(`No ${selector}`)
      return element.getBoundingClientRect()
    }
    const [over, under] = [box('mfrac > *'), box('mfrac > *', 1)]
    expect(over.bottom).toBeLessThanOrEqual(under.top + 1)
    // The left sides end in one line, the right sides begin in one.
    expect(Math.abs(box('mtd').right - box('mtd', 2).right)).toBeLessThan(1)
    expect(Math.abs(box('mtd > *', 1).left - box('mtd > *', 3).left)).toBeLessThan(1)
    for (const source of container.querySelectorAll('.cs-math-source'))
      expect(source.getBoundingClientRect().width).toBe(0)
    expect(box('.cs-math[data-display]').height - box('.cs-math[data-display] math').height).toBeLessThan(12)
    expect(container.querySelector('[style]')).toBeNull()
    expect(violations).toEqual([])
  })

  it('are copied as their source', async () => {
    const container = await show('So $\\frac{a}{b}$ holds.')
    getSelection()?.selectAllChildren(container)
    expect(String(getSelection()).replaceAll('\n', '')).toBe('So $\\frac{a}{b}$ holds.')
  })

  it('scroll in their own frame where they are too wide', async () => {
    const container = await show(`$$${Array.from({ length: 90 }, (_, index) => `Q_{${index}}`).join(' + ')}$$`)
    const frame = container.querySelector<HTMLElement>('.cs-math')
    expect(frame?.scrollWidth).toBeGreaterThan(frame?.clientWidth ?? 0)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth)
    frame?.focus()
    expect(document.activeElement).toBe(frame)
  })

  it('are stops of the keyboard only where they scroll', async () => {
    const container = await show(`$$x$$\n\nIn a line: $x$\n\n$$${'Q + '.repeat(200)}Q$$`)
    await expect.poll(() => container.querySelectorAll('[tabindex]').length).toBe(1)
    const [short, inLine, long] = container.querySelectorAll('.cs-math')
    expect([short, inLine, long].map((formula) => formula?.getAttribute('tabindex'))).toEqual([null, null, '0'])
  })

  it('cannot be laid over what is around the message', async () => {
    const container = await show('$$\\kern{-19em}\\rule{19em}{19em} \\raisebox{-99em}{over} \\hspace{-99em} x$$')
    const frame = container.querySelector('.cs-math')
    const { bottom, left } = frame?.getBoundingClientRect() ?? { bottom: 0, left: 0 }
    expect(document.elementFromPoint(left + 10, bottom + 30)?.closest('math')).toBeFalsy()
  })
})
