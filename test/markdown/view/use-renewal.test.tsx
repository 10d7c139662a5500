// @vitest-environment jsdom
import type { ReactNode } from 'react'
import { startTransition } from 'react'
import { render } from '@testing-library/react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CitationProvider } from '../../../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../../../src/components/citation-block/cited-text.tsx'
import { RichText } from '../../../src/components/markdown-block/rich-text.tsx'
import { type MarkdownRenderers, englishMarkdownStrings } from '../../../src/markdown/view/markdown-props.ts'
import { Markdown } from '../../../src/markdown/view/markdown.tsx'
import { MarksContext, placeholderOf } from '../../../src/markdown/view/places.tsx'
import { decorate, highlight, translate } from './foreign-changes/foreign-changes.ts'

const ANSWER = `A **b *c*** \`d\` [e](https://a.example)
~~f~~ [^n].

## G *h*

- i
- [x] **j**

| k | l |
| - | - |
| m | n |

\`\`\`
let o
\`\`\`

[^n]: P *q*.`

const CARET = <span className="caret" />
const show = (text: string, live = true): ReactNode => <Markdown text={text} live={live} tail={live && CARET} />

/** What the element shows, without what an extension has added. */
function shown(root: Element): string {
  const copy = root.cloneNode(true) as Element
  copy.querySelectorAll('[data-extension]').forEach((note) => note.remove())
  return copy.textContent ?? ''
}

/** What is shown of a beginning of the answer where nobody changes the page. */
const expected: string[] = []
function expectedAt(length: number): string {
  const known = expected[length]
  if (known !== undefined) return known
  const { container, unmount } = render(show(ANSWER.slice(0, length)))
  const text = shown(container)
  unmount()
  return (expected[length] = text)
}

let errors: ReturnType<typeof vi.spyOn>
// Thousands of commits: only a hang is a failure.
vi.setConfig({ testTimeout: 120_000 })

beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  expect(errors.mock.calls).toEqual([])
  errors.mockRestore()
})

describe('useRenewal', () => {
  it.each([
    ['replaces every text node', translate],
    ['splits every text node', highlight],
    ['puts elements between the elements', decorate],
  ])('shows every prefix of an answer while a script %s after each letter', (_, change) => {
    const { container, rerender } = render(show(''))
    for (let length = 1; length <= ANSWER.length; length += 1) {
      rerender(show(ANSWER.slice(0, length)))
      expect(shown(container)).toBe(expectedAt(length))
      change(container)
      expect(shown(container)).toBe(expectedAt(length))
    }
  })

  it('makes a link of translated text when its definition arrives', () => {
    const { container, rerender } = render(show('See [late] now.\n\n'))
    translate(container)
    rerender(show('See [late] now.\n\n[late]: https://late.example\n\n'))
    expect(container.querySelector('a')?.textContent).toBe('late')
    expect(container.querySelector('p')?.textContent).toBe('See late now.')
  })

  it('shows the answer when a script replaced or split its text nodes once, after any letter', () => {
    for (const change of [translate, highlight]) {
      for (let at = 1; at < ANSWER.length; at += 7) {
        const { container, rerender, unmount } = render(show(ANSWER.slice(0, at)))
        change(container)
        for (let length = at + 1; length <= ANSWER.length; length += 17) {
          rerender(show(ANSWER.slice(0, length)))
          expect(shown(container)).toBe(expectedAt(length))
        }
        rerender(show(ANSWER))
        expect(shown(container)).toBe(expectedAt(ANSWER.length))
        unmount()
      }
    }
  })

  it('does not replace text nodes that nobody changed', () => {
    const { container, rerender } = render(show('A line that gro'))
    const text = container.querySelector('p')?.firstChild
    expect(text?.nodeType).toBe(3)
    for (const words of ['A line that grows', 'A line that grows on']) {
      rerender(show(words))
      expect(container.querySelector('p')?.firstChild).toBe(text)
      expect(text?.textContent).toBe(words)
    }
  })

  it('keeps the elements of blocks in which nobody else changed text', () => {
    const { container, rerender } = render(show(ANSWER))
    const elements = [...container.querySelectorAll('.cs-md-run, .cs-md-run > *, li *, tr, em, strong, a')]
    for (const text of [`${ANSWER} More.`, `${ANSWER} More. And *more*.`]) rerender(show(text))
    rerender(show(`${ANSWER} More. And *more*.`, false))
    expect(elements.filter((element) => !container.contains(element))).toEqual([])
  })

  it('creates only the block again in which a script changed text', () => {
    const { container, rerender } = render(show('One *two*.\n\nThree *four*.\n\nFi'))
    const [first, second, third] = container.querySelectorAll('p')
    if (second && third) for (const block of [second, third]) translate(block)
    rerender(show('One *two*.\n\nThree *four*.\n\nFive'))
    const [before, translated, renewed] = container.querySelectorAll('p')
    expect([before, translated]).toEqual([first, second])
    expect(renewed).not.toBe(third)
    expect(translated?.innerHTML).toContain('<font>')
    expect(container.textContent).toBe('One two.Three four.Five')
  })

  it.each([
    ['replaced', translate],
    ['split', highlight],
  ])('shows finished blocks with other renderers and strings after a script %s their text', (_, change) => {
    const text = `${ANSWER}\n\n![](https://picture.example/x.png) z`
    const Upper: MarkdownRenderers = { text: ({ text }) => text.toUpperCase() }
    const strings = { ...englishMarkdownStrings, imageFrom: (host: string) => `Bild von ${host}` }
    const { container: right } = render(<Markdown text={text} renderers={Upper} strings={strings} />)
    const { container: english } = render(show(text, false))
    const { container, rerender } = render(show(text, false))
    change(container)
    rerender(<Markdown text={text} renderers={Upper} strings={strings} />)
    expect(container.textContent).toBe(right.textContent)
    change(container)
    rerender(show(text, false))
    expect(container.textContent).toBe(english.textContent)
  })

  it('creates a block again that a script changed between a rendering and its commit', async () => {
    const box = document.body.appendChild(document.createElement('div'))
    const root = createRoot(box)
    // Rendered after the block above it, in which a script then changes the text. React lets it run, as this takes longer than 5 ms.
    function change(): void {
      queueMicrotask(() => translate(box))
      const from = performance.now()
      while (performance.now() - from < 10) continue
    }
    function Probe({ text }: { readonly text: string }): ReactNode {
      if (text.length > 10) change()
      return <hr />
    }
    const showAll = (text: string): ReactNode => (
      <>
        <Markdown text={text} live />
        <Probe text={text} />
        <hr />
      </>
    )
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
    try {
      root.render(showAll('One two'))
      await vi.waitFor(() => expect(box.textContent).toBe('One two'))
      startTransition(() => root.render(showAll('One two three')))
      await vi.waitFor(() => expect(box.textContent).toBe('One two three'), { timeout: 60_000 })
      root.unmount()
    } finally {
      vi.unstubAllGlobals()
      box.remove()
    }
  })

  it('shows code with a mark in it that grows after a script split its text', () => {
    const marks = { count: 1, show: () => <i /> }
    const code = (text: string): ReactNode => (
      <MarksContext.Provider value={marks}>
        <Markdown text={`\`\`\`\n${text}`} live />
      </MarksContext.Provider>
    )
    const mark = placeholderOf(0)
    const { container, rerender } = render(code(`one${mark}two`))
    for (const more of ['', ' three', ' three four']) {
      rerender(code(`one${mark}two${more}`))
      highlight(container)
      expect(container.querySelector('code')?.textContent).toBe(`onetwo${more}`)
    }
  })

  it('shows marks of sources in translated markdown, and keeps the block for them', () => {
    const text = 'Rivers meander [1], and *flood* [2].'
    // The same element: only the marks are rendered again.
    const answer = <RichText text={text} live />
    const { container, rerender } = render(cited(answer, 0))
    const block = container.querySelector('p')
    for (const count of [1, 2, 1]) {
      rerender(cited(answer, count))
      expect(container.querySelectorAll('button')).toHaveLength(count)
    }
    rerender(cited(<RichText text={`${text} Mo`} live />, 1))
    expect(container.querySelector('p')).toBe(block)
    for (const change of [translate, highlight]) {
      change(container)
      for (const count of [2, 0, 1]) {
        rerender(cited(answer, count))
        expect(container.querySelectorAll('button')).toHaveLength(count)
        expect(container.textContent?.replaceAll('\n', ' ')).toContain('Rivers meander [1], and flood [2].')
      }
      rerender(cited(<RichText text={`${text} More`} live />, 1))
      expect(container.textContent).toBe('Rivers meander [1], and flood [2]. More')
    }
  })

  it('lets marks of sources replace text that was translated', () => {
    const text = 'Rivers meander [1], and flood [2].'
    const all = (
      <p>
        <CitedText text={text} />
      </p>
    )
    const { container, rerender } = render(cited(all, 0))
    for (const count of [1, 2, 0]) {
      translate(container)
      rerender(cited(all, count))
      expect(container.querySelectorAll('button')).toHaveLength(count)
      expect(container.textContent).toBe(text)
    }
  })
})

const CITATIONS = [1, 2].map((number) => ({
  sourceId: `${number}`,
  uri: `https://${number}.example`,
  title: `Source ${number}`,
}))

function cited(text: ReactNode, count: number): ReactNode {
  return <CitationProvider citations={CITATIONS.slice(0, count)}>{text}</CitationProvider>
}
