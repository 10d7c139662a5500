// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Markdown } from '../../../src/markdown/view/markdown.tsx'

afterEach(cleanup)

/** How many nodes a browser goes through to find the direction of an element with `dir="auto"`: up to the first letter. */
function searched(element: Element): number {
  let nodes = 0
  const search = (parent: Node): boolean => {
    for (const node of parent.childNodes) {
      nodes++
      if (node instanceof Element && (node.hasAttribute('dir') || node.localName === 'bdi')) continue
      if (node instanceof Text ? /\p{L}/u.test(node.data) : search(node)) return true
    }
    return false
  }
  search(element)
  return nodes
}

const lines = (line: (n: number) => string): string => Array.from({ length: 300 }, (_, n) => line(n)).join('')

describe('the direction of a long message', () => {
  it.each([
    ['a table', `|a|b|\n|-|-|\n${lines((n) => `|${n}|${n}|\n`)}`],
    ['a list', lines((n) => `- item ${n}\n`)],
    ['paragraphs', lines((n) => `Paragraph ${n}\n\n`)],
    ['notes', lines((n) => `Text[^${n}]\n\n[^${n}]: Note\n\n`)],
  ])('is looked for in a few nodes, whatever it is: %s', (_, text) => {
    const { container } = render(
      <div dir="auto">
        <Markdown text={text} live />
      </div>,
    )
    const elements = [...container.querySelectorAll('[dir="auto"]')]
    expect(elements.length).toBeGreaterThan(300)
    expect(Math.max(...elements.map(searched))).toBeLessThan(10)
  })
})
