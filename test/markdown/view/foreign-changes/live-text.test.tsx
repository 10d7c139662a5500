// @vitest-environment jsdom
import type { ReactNode } from 'react'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CitationProvider } from '../../../../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../../../../src/components/citation-block/cited-text.tsx'
import { Markdown } from '../../../../src/markdown/view/markdown.tsx'
import { decorate, highlight, translate } from './foreign-changes.ts'

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

describe('LiveText', () => {
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
    const text = container.querySelector('p')?.firstChild?.firstChild
    expect(text?.nodeType).toBe(3)
    rerender(show('A line that grows'))
    expect(container.querySelector('p')?.firstChild?.firstChild).toBe(text)
    expect(text?.textContent).toBe('A line that grows')
  })

  it('lets marks of sources replace text that was translated', () => {
    const text = 'Rivers meander [1], and flood [2].'
    const citations = [1, 2].map((number) => ({
      sourceId: `${number}`,
      uri: `https://${number}.example`,
      title: `Source ${number}`,
    }))
    const cited = (count: number): ReactNode => (
      <p>
        <CitationProvider citations={citations.slice(0, count)}>
          <CitedText text={text} />
        </CitationProvider>
      </p>
    )
    const { container, rerender } = render(cited(0))
    for (const count of [1, 2, 0]) {
      translate(container)
      rerender(cited(count))
      expect(container.querySelectorAll('button')).toHaveLength(count)
      expect(container.textContent).toBe(text)
    }
  })
})
