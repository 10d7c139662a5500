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

const attribute = (text: string, selector: string): string | null => {
  const { container } = render(<Markdown text={text} />)
  return container.querySelector(selector)?.getAttribute('dir') ?? null
}

describe('the direction of a block with markers, bars or columns', () => {
  it.each([
    ['ul', '- قائمة\n- Zwei'],
    ['ol', '1. **قائمة**\n2. Zwei'],
    ['ul', '- [x] קניות'],
    ['ul', '- `npm` تثبيت'],
    ['ul', '- 12\n- ١٢\n- نص'],
    ['blockquote', '> قال\n> - Zwei'],
    ['table', '| 1 | اسم |\n|---|---|\n| a | b |'],
    ['.cs-table', '| اسم | a |\n|---|---|\n| a | b |'],
    ['.cs-md-notes ol', 'See[^1].\n\n[^1]: ملاحظة'],
  ])('is from right to left where its first letter is: %s of %j', (selector, text) => {
    expect(attribute(text, selector)).toBe('rtl')
  })

  it.each([
    ['ul', '- Erstens\n- قائمة'],
    ['blockquote', '> 引用'],
    ['table', '| name |\n|---|\n| اسم |'],
  ])('is from left to right elsewhere: %s of %j', (selector, text) => {
    expect(attribute(text, selector)).toBe('ltr')
  })

  it.each([
    ['ul', '- 1\n- 2'],
    ['blockquote', '> 12'],
    ['table', '| 1 |\n|---|\n| 2 |'],
    ['ul', '- 1\n'.repeat(500)],
    ['.cs-md', 'قال'],
  ])('is the direction of the page where there is none: %s', (selector, text) => {
    expect(attribute(text, selector)).toBeNull()
  })
})

describe('the direction of text without a letter', () => {
  it.each([
    ['td', '| اسم |\n|---|\n| ١٢ |'],
    ['li p', '1. 12\n2. ثانياً'],
    ['.cs-md p', '12 + 3'],
    ['h2', '# 12'],
  ])('is that of what is around it: %s of %j', (selector, text) => {
    expect(attribute(text, selector)).toBeNull()
  })
})

describe('the direction of a long message', () => {
  it.each([
    ['a table', `|a|b|\n|-|-|\n${lines((n) => `|a${n}|b|\n`)}`],
    ['a list', lines((n) => `- item ${n}\n`)],
    ['paragraphs', lines((n) => `Paragraph ${n}\n\n`)],
    ['notes', lines((n) => `Text[^${n}]\n\n[^${n}]: Note\n\n`)],
  ])('is looked for in a few nodes, whatever it is: %s', (_, text) => {
    const { container } = render(<Markdown text={text} live />)
    const elements = [...container.querySelectorAll('[dir="auto"]')]
    expect(elements.length).toBeGreaterThanOrEqual(300)
    expect(Math.max(...elements.map(searched))).toBeLessThan(10)
  })
})
