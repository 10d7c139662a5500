// @vitest-environment jsdom
import { Component, type ReactNode } from 'react'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MarkdownRenderers } from '../../../src/markdown/view/markdown-props.ts'
import { Markdown } from '../../../src/markdown/view/markdown.tsx'
import { wrap, wrapElements } from './foreign-changes/foreign-changes.ts'

const ANSWER = 'A **b** c *d* [e](https://a.example) `f`.\n\n## G *h*\n\nAnd **i** j.'

// Thousands of commits: only a hang is a failure.
vi.setConfig({ testTimeout: 120_000 })

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
  it.each([
    ['what is in its blocks', wrap],
    ['the elements in its blocks', wrapElements],
  ])('shows every prefix of an answer although a script moves %s after each letter', (_, change) => {
    const show = (text: string): ReactNode => <Markdown text={text} live tail={<i />} />
    const { container, rerender } = render(show(''))
    for (let length = 1; length <= ANSWER.length; length += 1) {
      const text = ANSWER.slice(0, length)
      rerender(show(text))
      expect(container.textContent).toBe(expectedText(text))
      change(container)
    }
  })

  it('creates the run again when React fails to remove an element of it', () => {
    const show = (text: string): ReactNode => <Markdown text={text} live />
    const { container, rerender } = render(show('One **two** [three](https://a.example)'))
    wrapElements(container)
    rerender(show('One'))
    expect(container.textContent).toBe('One')
    expect(console.error).toHaveBeenCalled()
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
