import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import '../../src/styles.css'
import { Markdown } from '../../src/markdown/view/markdown.tsx'
import { painted } from './transcript.tsx'

afterEach(cleanup)

const text = (size: number): string => {
  let words = ''
  for (let n = 0; words.length < size; n++) words += `Loop ${n} of the river bends **where** it is \`slow\` and `
  return words
}

const STEP = 400
const CARET = <i />

/** A paragraph that has grown so long. */
function grown(size: number): { readonly paragraph: HTMLElement; readonly end: () => void } {
  const whole = text(size)
  const page = (length: number, live: boolean): React.JSX.Element => (
    <div className="cs-part" style={{ inlineSize: 600 }}>
      <Markdown text={whole.slice(0, length)} live={live} tail={live && CARET} />
    </div>
  )
  const { container, rerender } = render(page(STEP, true))
  for (let length = STEP; length <= whole.length; length += STEP) rerender(page(length, true))
  rerender(page(whole.length, true))
  return { paragraph: container.querySelector('p')!, end: () => rerender(page(whole.length, false)) }
}

/** Where each line ends, from the top left corner of the paragraph. */
function linesOf(paragraph: HTMLElement): readonly { readonly top: number; readonly end: number }[] {
  const { top, left } = paragraph.getBoundingClientRect()
  const lines: { top: number; end: number }[] = []
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent === ' ') continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue
      const middle = (rect.top + rect.bottom) / 2 - top
      const line = lines.findLast((other) => Math.abs(other.top - middle) < 8)
      if (line) line.end = Math.max(line.end, rect.right - left)
      else lines.push({ top: middle, end: rect.right - left })
    }
  }
  return lines
}

function expectSameLines(paragraph: HTMLElement, before: ReturnType<typeof linesOf>): void {
  const now = linesOf(paragraph)
  expect(before).toHaveLength(now.length)
  const apart = before.filter(
    ({ top, end }, at) => Math.abs(top - (now[at]?.top ?? 0)) > 2 || Math.abs(end - (now[at]?.end ?? 0)) > 2,
  )
  expect(apart).toEqual([])
}

describe('a paragraph of 30 kB that grows', () => {
  it('is laid out in stretches, of which a token changes the last', () => {
    const { paragraph } = grown(30_000)
    const stretches = [...paragraph.querySelectorAll(':scope > .cs-md-stretch')]
    expect(stretches.length).toBeGreaterThan(4)
    for (const box of [paragraph, ...stretches]) expect(box.childNodes.length).toBeLessThan(600)
    for (const stretch of stretches) {
      expect(getComputedStyle(stretch).display).toBe('inline-block')
      expect(stretch.textContent.length).toBeLessThan(8000)
    }
  })

  it('has the lines of running text, and becomes running text of the same elements when it ends', () => {
    const { paragraph, end } = grown(30_000)
    const lines = linesOf(paragraph)
    const words = [...paragraph.querySelectorAll('strong')]
    end()
    expect(paragraph.querySelectorAll('strong')[300]).toBe(words[300])
    for (const stretch of paragraph.querySelectorAll('.cs-md-stretch'))
      expect(getComputedStyle(stretch).display).toBe('inline')
    expect(lines.length).toBeGreaterThan(200)
    expectSameLines(paragraph, lines)
  })

  it('has the lines of running text also after it has become narrow', async () => {
    const { paragraph, end } = grown(30_000)
    paragraph.closest<HTMLElement>('.cs-part')!.style.inlineSize = '320px'
    await painted(3)
    const lines = linesOf(paragraph)
    end()
    paragraph.closest<HTMLElement>('.cs-part')!.style.inlineSize = '320px'
    expectSameLines(paragraph, lines)
  })

  it('has the lines of running text also where the caret comes late', () => {
    const page = (length: number, caret: boolean): React.JSX.Element => (
      <div className="cs-part" style={{ inlineSize: 600 }}>
        <Markdown text={text(30_000).slice(0, length)} live tail={caret && CARET} />
      </div>
    )
    const { container, rerender } = render(page(STEP, false))
    for (let length = STEP; length < 30_000; length += STEP) rerender(page(length, false))
    rerender(page(30_000, true))
    const paragraph = container.querySelector('p')!
    const lines = linesOf(paragraph)
    rerender(page(30_000, false))
    expect(paragraph.querySelectorAll('.cs-md-stretch').length).toBeGreaterThan(4)
    expectSameLines(paragraph, lines)
  })

  it('is its text, and copies as it', () => {
    const { paragraph } = grown(30_000)
    const shown = text(30_000).replaceAll(/[*`]/g, '').trimEnd()
    expect(paragraph.textContent.trimEnd()).toBe(shown)
    const selection = getSelection()!
    selection.selectAllChildren(paragraph)
    expect(selection.toString().trimEnd()).toBe(shown)
  })
})

describe('a paragraph that is complete', () => {
  it('is running text from the start', () => {
    const { container } = render(<Markdown text={text(30_000)} />)
    const paragraph = container.querySelector('p')!
    expect(paragraph.hasAttribute('data-grows')).toBe(false)
    for (const stretch of paragraph.querySelectorAll('.cs-md-stretch'))
      expect(getComputedStyle(stretch).display).toBe('inline')
  })
})
