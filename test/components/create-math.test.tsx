// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { german } from '../../src/strings/german.ts'
import { createMath } from '../../src/components/create-math.tsx'
import { Markdown } from '../../src/markdown/view/markdown.tsx'
import { pieces } from '../markdown/line-grammar.ts'
import './show.tsx'

const RENDERERS = { math: createMath() }

const answer = (text: string, live = false): ReactNode => <Markdown text={text} live={live} renderers={RENDERERS} />

/** What KaTeX writes in as many ways as it has, and what asks for more than a formula may. */
const TEX = [
  'x^2_i',
  '\\frac{a}{b}',
  '\\sqrt[3]{x}',
  '\\sum_{i=1}^{n} i',
  '\\int_0^\\infty e^{-x}\\,dx',
  '\\hat{x} + \\overline{AB}',
  '\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}',
  '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
  '\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{else} \\end{cases}',
  '\\begin{array}{|c|c|} \\hline 1 & 2 \\\\ \\hline \\end{array}',
  '\\boxed{x}',
  '\\cancel{x}',
  '\\color{red}{x}',
  '\\colorbox{red}{x}',
  '\\fcolorbox{red}{blue}{x}',
  '\\pmb{x}',
  '\\rule{1em}{1em}',
  '\\raisebox{1em}{x}',
  '\\smash{x}',
  '\\llap{x}',
  '\\phantom{x}',
  '\\overbrace{x}^{n}',
  '\\xrightarrow[a]{b}',
  '\\bigl( x \\bigr)',
  '\\mathbb{R} \\mathcal{L} \\mathfrak{g} \\mathbf{v} \\boldsymbol{\\theta} \\mathsf{s} \\mathtt{t} \\mathrm{r}',
  '\\tag{1} x',
  '\\href{javascript:alert(1)}{x}',
  '\\url{https://a.example}',
  '\\htmlStyle{color:red}{x}',
  '\\htmlId{a}{x}',
  '\\htmlClass{a}{x}',
  '\\htmlData{a=b}{x}',
  '\\includegraphics{https://a.example/x.png}',
  '\\text{<img src=x onerror=alert(1)>}',
  '\\text{"\'\\&}',
  '\\ce{H2O}',
  '\\KaTeX',
  "f'(x)",
  'a \\not= b',
  '\\dfrac{1}{2} \\binom{n}{k}',
  '\\lim_{x \\to 0} \\sin x',
  '\\operatorname{rank} A',
  '\\text{ü 中 עב}',
  '\\underbrace{a+b}_{c}',
  '\\stackrel{a}{=}',
  '\\begin{CD} A @>a>> B \\end{CD}',
  '\\vdots \\ddots',
]

/** Commands of packages that are not loaded. */
const UNREADABLE = new Set(['\\ce{H2O}'])

describe('a formula', () => {
  it.each(TEX)('is MathML with nothing on it but what lays it out: %s', (tex) => {
    const { container } = render(answer(`$$${tex}$$`))
    expect(container.querySelector(UNREADABLE.has(tex) ? '[data-failed]' : 'math')).not.toBeNull()
    for (const element of container.querySelectorAll('*')) {
      expect(element.tagName.toLowerCase()).toMatch(/^(?:div|p|span|code|m[a-z]+|semantics|annotation|none)$/)
      for (const { name } of element.attributes)
        expect(name).toMatch(
          /^(?:class|dir|lang|role|aria-label|aria-hidden|translate|tabindex|data-(?:display|failed|align|close)|display|displaystyle|scriptlevel|encoding|mathvariant|notation|column(?:align|lines|spacing)|row(?:lines|spacing)|form|fence|separator|stretchy|symmetric|largeop|movablelimits|accent|accentunder|linethickness|[lr]space|m(?:in|ax)size|width|height|depth|voffset)$/,
        )
      if (element.closest('math')) expect(element.className === '' || element.getAttribute('class') === null).toBe(true)
    }
    expect(container.querySelector('a, img, script, style, [style], [id]')).toBeNull()
  })

  it('is laid out by the browser and has its source next to it', () => {
    const { container } = render(answer('The spacing is $\\lambda = 11w$.'))
    const math = container.querySelector('math')
    expect(math?.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML')
    expect(math?.querySelector('annotation')?.textContent).toBe('\\lambda = 11w')
    const source = container.querySelector('.cs-math-source')
    expect(source?.textContent).toBe('$\\lambda = 11w$')
    expect(source?.getAttribute('aria-hidden')).toBe('true')
  })

  it('on its own line is named', () => {
    render(answer('$$\nx\n$$'))
    const formula = screen.getByRole('group', { name: 'Formula' })
    expect(formula.dir).toBe('ltr')
    expect(formula.querySelector('math')?.getAttribute('display')).toBe('block')
  })

  it('is not within reach of the keyboard in a link', () => {
    render(answer('[$$x$$](https://a.example)'))
    expect(screen.getByRole('link').querySelector('math')).not.toBeNull()
    expect(screen.getByRole('link').querySelector('[tabindex]')).toBeNull()
  })

  it('has the letters that its variants mean', () => {
    const { container } = render(
      answer('$\\mathbb{R} \\mathcal{L} \\mathfrak{C} \\mathbf{v2} \\boldsymbol{\\theta} \\mathtt{t}$'),
    )
    expect(container.querySelector('semantics > mrow')?.textContent).toBe('ℝℒℭ𝐯𝟐𝜽𝚝')
    expect(container.querySelector('[mathvariant]')).toBeNull()
  })

  it('aligns its columns', () => {
    const { container } = render(answer('$$\n\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}\n$$'))
    expect(
      [...container.querySelectorAll('mtd')].map((cell) => cell.dataset?.['align'] ?? cell.getAttribute('data-align')),
    ).toEqual(['right', 'left', 'right', 'left'])
  })

  it('shows code in dollar signs and fences as before', () => {
    const { container } = render(answer('$`a`$\n\n```math\nb\n```\n'))
    expect([...container.querySelectorAll('annotation')].map(({ textContent }) => textContent)).toEqual(['a', 'b'])
  })

  it('knows the macros of the app, and forgets those of another formula', () => {
    const renderers = { math: createMath({ macros: { '\\R': '\\mathbb{R}' } }) }
    const { container } = render(<Markdown text="$\gdef\x{y} \x \R$ and $\x$" renderers={renderers} />)
    expect(container.querySelector('semantics > mrow')?.textContent).toBe('yℝ')
    expect(container.querySelectorAll('[data-failed]')).toHaveLength(1)
  })
})

describe('a formula that cannot be shown', () => {
  it.each([
    ['is not TeX', '$\\frac{a$', '\\frac{a', "Unexpected end of input in a macro argument, expected '}'"],
    ['has an unknown command', '$\\unknown x$', '\\unknown x', 'Undefined control sequence: \\unknown'],
    [
      'expands for ever',
      '$\\def\\a{\\a\\a}\\a$',
      '\\def\\a{\\a\\a}\\a',
      'Too many expansions: infinite loop or need to increase maxExpand setting',
    ],
    [
      'is too deep',
      `$${'{'.repeat(450)}x${'}'.repeat(450)}^{${'x^{'.repeat(30)}}$`,
      undefined,
      "Expected '}', got 'EOF'",
    ],
    [
      'has an unknown command with a long name',
      `$\\${'x'.repeat(500)}$`,
      `\\${'x'.repeat(500)}`,
      `Undefined control sequence: \\${'x'.repeat(200 - 'Undefined control sequence: '.length - 1)}`,
    ],
    ['is too long', `\`\`\`math\n${'x + '.repeat(1500)}x\n\`\`\``, undefined, 'It is too long.'],
    ['is deep', `\`\`\`math\n${'\\sqrt{'.repeat(250)}x${'}'.repeat(250)}\n\`\`\``, undefined, undefined],
  ])('is its source, with a note for assistive technology: it %s', (_, text, source, reason) => {
    const { container } = render(answer(text))
    const failed = screen.getByRole('group', { name: 'Formula that could not be shown' })
    expect(failed.getAttribute('data-failed')).toBe('')
    if (source !== undefined) expect(failed.querySelector('code')?.textContent).toBe(source)
    expect(failed.querySelector('.cs-hidden')?.textContent.trim()).toBe(reason)
    expect(container.querySelector('math')).toBeNull()
  })

  it('says so in the language around, or in words of the app', async () => {
    const { unmount } = render(<DictionaryProvider strings={german}>{answer('$\\x$')}</DictionaryProvider>)
    expect(await screen.findByRole('group', { name: 'Formel, die nicht angezeigt werden konnte' })).not.toBeNull()
    unmount()
    const renderers = { math: createMath({ strings: { formula: 'F', failed: 'No F', tooLong: 'Long' } }) }
    render(<Markdown text="$\x$" renderers={renderers} />)
    expect(screen.getByRole('group', { name: 'No F' })).not.toBeNull()
  })
})

describe('an answer with formulas that grows', () => {
  const text =
    'So $\\lambda = 11w$, and it costs $5 or $10:\n\n- \\(a_1\\)\n- b\n\n$$\n\\begin{aligned} x &= 1 \\\\\ny &= 2 \\end{aligned}\n$$\n\nafter'

  it('is the same as the whole, and no formula is made again for what follows', () => {
    const { container, rerender } = render(answer('', true))
    let read = ''
    const seen = new Set<Element>()
    for (const piece of pieces(text)) {
      read += piece
      rerender(answer(read, true))
      for (const math of container.querySelectorAll('math')) seen.add(math)
      expect(container.querySelector('[data-failed]')).toBeNull()
    }
    rerender(answer(read))
    const whole = render(answer(text))
    expect(container.innerHTML).toBe(whole.container.innerHTML)
    expect(seen.size).toBe(3)
    expect([...container.querySelectorAll('math')].every((math) => seen.has(math))).toBe(true)
  })

  it('is the same from the server', () => {
    const container = document.createElement('div')
    container.innerHTML = renderToString(answer(text))
    const before = container.innerHTML
    expect(container.querySelectorAll('math')).toHaveLength(3)
    render(answer(text), { container, hydrate: true })
    expect(container.innerHTML).toBe(before)
  })
})

describe('an answer without the component', () => {
  it('shows formulas as they were written', () => {
    const { container } = render(<Markdown text={'So $a$ and \\(b\\)'} />)
    expect(container.textContent).toBe('So $a$ and (b)')
  })

  it('is read again when the component comes', () => {
    const { container, rerender } = render(<Markdown text="So $a$" />)
    expect(container.querySelector('math')).toBeNull()
    rerender(answer('So $a$'))
    expect(container.querySelector('math')).not.toBeNull()
  })
})
