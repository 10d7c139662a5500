// @vitest-environment jsdom
import { Component, type ReactNode } from 'react'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MarkdownRenderers } from '../../../../src/markdown/view/markdown-renderers.ts'
import { Markdown } from '../../../../src/markdown/view/markdown.tsx'
import { reorder, translate } from './foreign-changes.ts'

const ANSWER =
  'A **bold** idea and *some* [words](https://a.example) in `it`.\n\n## Then *a* heading\n\nAnd the end of **it** all.'

beforeEach(() => {
  // React reports what a boundary caught.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const expectedText = (text: string): string => {
  const { container, unmount } = render(<Markdown text={text} live />)
  const shown = container.textContent
  unmount()
  return shown ?? ''
}

describe('RenewableRun', () => {
  it('shows every prefix of an answer although a script reorders and drops elements after each letter', () => {
    const { container, rerender } = render(<Markdown text="" live />)
    for (let length = 1; length <= ANSWER.length; length += 1) {
      const text = ANSWER.slice(0, length)
      rerender(<Markdown text={text} live />)
      const block = text.split('\n\n').at(-1) ?? ''
      // A letter that is not shown yet, such as a blank at the end, changes nothing on the page.
      if (expectedText(block) !== expectedText(block.slice(0, -1)))
        expect([...container.querySelectorAll('p, h2')].at(-1)?.textContent).toBe(expectedText(block))
      reorder(container)
      translate(container)
    }
  })

  it('creates the run anew when React fails to remove a node of it', () => {
    // A renderer that returns text next to other text is what an app may have.
    const renderers: MarkdownRenderers = { text: ({ text }) => [text, text.endsWith('.') && '!'] }
    const show = (text: string): ReactNode => <Markdown text={text} live renderers={renderers} />
    const { container, rerender } = render(show('One.'))
    translate(container)
    rerender(show('One'))
    expect(container.textContent).toBe('One')
  })

  it('leaves errors of a renderer to the boundary around', () => {
    class Boundary extends Component<{ readonly children: ReactNode }> {
      override readonly state = { error: undefined }
      static getDerivedStateFromError(error: unknown) {
        return { error }
      }
      override render(): ReactNode {
        return this.state.error === undefined ? this.props.children : String(this.state.error)
      }
    }
    const failing = (error: Error): MarkdownRenderers => ({
      text: () => {
        throw error
      },
    })
    for (const error of [new RangeError('Broken'), new DOMException('Missing', 'NotFoundError')]) {
      const { container } = render(
        <Boundary>
          <Markdown text="One" renderers={failing(error)} />
        </Boundary>,
      )
      expect(container.textContent).toBe(String(error))
    }
  })
})
