import { act } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { MessagePart } from '../../src/state/turn.ts'
import { text } from '../components/fake-chat.ts'
import { cited, mark, prose, rivers, showAnswer, WORDS } from './cited-answer.tsx'

beforeEach(async () => {
  await page.viewport(1280, 800)
})

/** Where the words are. */
function placeOf(words: string): DOMRect {
  const walker = document.createTreeWalker(prose(), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const start = node.textContent?.indexOf(words) ?? -1
    if (start === -1) continue
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, start + words.length)
    return range.getBoundingClientRect()
  }
  throw new Error(`Nothing says "${words}".`)
}

describe('what is being read', () => {
  it('keeps its line height where marks are', async () => {
    await showAnswer(cited('a '.repeat(300)))
    const plain = prose().getBoundingClientRect().height
    const lines = Math.round(plain / 26)
    expect(plain).toBe(lines * 26)
    const chat = await showAnswer(cited('One line.[1][2][3]'))
    expect(chat.used).toEqual([])
    expect(prose().getBoundingClientRect().height % 26).toBe(0)
    expect(mark(1).getBoundingClientRect().height).toBe(17)
  })

  it.each([
    ['prose', 'It wears back.[1] And so it goes on.[2][10, 3] So *it[4]* ends.', false],
    ['plain text', 'It wears back.[1] And so it goes on.[2][10, 3] So it ends.', true],
    ['a list', '- It wears back.[1] And so\n- it goes on.[12]\n\n  So it ends.', false],
    ['a table', '| It wears back.[1] | And so |\n|---|--:|\n| it goes on [2, 3] | So it ends. |\n', false],
  ])('does not move when the sources come for marks that are there in %s', async (_, words, plain) => {
    const chat = await showAnswer([text(words)], { status: 'streaming', plain })
    expect(prose().querySelectorAll('[data-pending]').length).toBeGreaterThan(1)
    const seen = ['It wears back.', 'And so', 'it goes on', 'So']
    const before = seen.map(placeOf)
    act(() => chat.change('a', { parts: cited(words, 12) }))
    expect(prose().querySelectorAll('[data-pending]')).toHaveLength(0)
    expect(prose().querySelectorAll('button.cs-cite').length).toBeGreaterThan(1)
    expect(seen.map(placeOf)).toEqual(before)
  })

  it.each([
    ['prose', 'It wears back.[^a] And so it goes on.[^2][^c] So it ends.'],
    ['a list', '- It wears back.[^1] And so\n- it goes on.[^note]\n\n  So it ends.'],
    ['a table', '| It wears back.[^1] | And so |\n|---|--:|\n| it goes on [^2] | So it ends. |\n'],
    [
      'a text with many notes',
      `It wears back.${Array.from({ length: 12 }, (_, at) => `[^${at + 1}]`).join(' ')} And so it goes on.[^11] So it ends.`,
    ],
  ])('does not move when the notes come for marks that are there in %s', async (_, words) => {
    const chat = await showAnswer([text(words)], { status: 'streaming' })
    expect(prose().textContent).not.toContain('[^')
    const seen = ['It wears back.', 'And so', 'it goes on', 'So']
    const before = seen.map(placeOf)
    const labels = [...new Set(words.match(/\[\^\w+\]/g))]
    const notes = labels.map((label) => `${label}: A note.`).join('\n')
    act(() => chat.change('a', { parts: [text(`${words}\n\n${notes}\n\nMore`)] }))
    expect(prose().querySelectorAll('[data-pending]')).toHaveLength(0)
    expect(prose().querySelectorAll('button[data-mark]').length).toBeGreaterThanOrEqual(labels.length)
    expect(seen.map(placeOf)).toEqual(before)
  })

  it('moves nothing that is there at any letter of a mark', async () => {
    const words = 'It wears back.[1] And so.[2, 13] *It goes[3]* on.[^a] So it ends.[^22]'
    const chat = await showAnswer([text('It')], { status: 'streaming' })
    const seen: string[] = []
    let before: DOMRect[] = []
    for (let end = 3; end <= words.length; end += 1) {
      act(() => chat.change('a', { parts: [text(words.slice(0, end))] }))
      expect(seen.map(placeOf)).toEqual(before)
      for (const word of ['It wears', 'And so', 'It goes', 'So it'])
        if (!seen.includes(word) && prose().textContent.includes(word)) seen.push(word)
      before = seen.map(placeOf)
    }
    expect(seen).toHaveLength(4)
    act(() => chat.change('a', { parts: cited(`${words}\n\n[^a]: One.\n[^22]: Two.\n\nMore`, 13) }))
    expect(seen.map(placeOf)).toEqual(before)
  })

  it('does not move when marks, sources and chips come', async () => {
    const [opening = ''] = WORDS.split(' So')
    const chat = await showAnswer([text(opening), { type: 'citations', id: 'c', citations: rivers(2) }], {
      status: 'streaming',
    })
    const chips = document.querySelector('.cs-sources')
    const before = [placeOf('The outside'), placeOf('the inside')]
    const height = chips?.getBoundingClientRect().height
    expect(height).toBe(28)
    for (const count of [3, 5, 9]) {
      act(() => chat.change('a', { parts: [text(opening), { type: 'citations', id: 'c', citations: rivers(count) }] }))
      expect([placeOf('The outside'), placeOf('the inside')]).toEqual(before)
      expect(chips?.getBoundingClientRect().height).toBe(height)
    }
  })

  it('stays selected while the answer continues', async () => {
    const paragraph = `${'Where the current brushes one side a little harder. '.repeat(6)}\n`
    const parts = (more: string): readonly MessagePart[] => [
      text(`First words.[1]\n${paragraph}${paragraph}${more}`),
      { type: 'citations', id: 'c', citations: rivers(2) },
    ]
    const chat = await showAnswer(parts(''), { status: 'streaming' })
    const selected = (): string => getSelection()?.toString() ?? ''
    const node = document.createTreeWalker(prose(), NodeFilter.SHOW_TEXT).nextNode()
    if (node) getSelection()?.setBaseAndExtent(node, 0, node, 5)
    expect(selected()).toBe('First')
    for (const more of ['Then', 'Then more.[2', 'Then more.[2] and'])
      act(() => chat.change('a', { parts: parts(more) }))
    expect(selected()).toBe('First')
  })
})

const PARAGRAPH = `${'Where the current brushes one side a little harder.[1] '.repeat(6)}\n`
const LONG = `${PARAGRAPH}\n${PARAGRAPH}- one\n- two\n\n\n${PARAGRAPH}\n${PARAGRAPH}The end`

describe('a long answer in plain text', () => {
  it('looks as if it were one block of text', async () => {
    await showAnswer(cited(LONG), { plain: true })
    const pieces = [...document.querySelectorAll<HTMLElement>('.cs-piece')]
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.filter((piece) => getComputedStyle(piece).display === 'block').length).toBe(pieces.length - 2)
    const lines = (): number[] =>
      [...document.querySelectorAll('.cs-prose button')].map((button) => button.getBoundingClientRect().top)
    const [height, tops] = [prose().getBoundingClientRect().height, lines()]
    for (const piece of pieces) piece.style.display = 'inline'
    expect(prose().getBoundingClientRect().height).toBe(height)
    expect(lines()).toEqual(tops)
  })

  it('continues in the line it is in after a gap', async () => {
    await showAnswer(
      [text('before '), { type: 'gap', id: 'g', after: 1, before: 3 }, text(` after\n${LONG}`, 'text-2')],
      { plain: true },
    )
    expect(placeOf(' after').bottom).toBe(placeOf('before').bottom)
  })

  it('keeps its content when more comes', async () => {
    const chat = await showAnswer(cited(LONG), { plain: true, status: 'streaming' })
    const pieces = [...document.querySelectorAll('.cs-piece')]
    const marks = [...document.querySelectorAll('.cs-prose button')]
    act(() => chat.change('a', { parts: cited(`${LONG} is not yet here\n${LONG}`) }))
    expect([...document.querySelectorAll('.cs-piece')].slice(0, pieces.length)).toEqual(pieces)
    expect([...document.querySelectorAll('.cs-prose button')].slice(0, marks.length)).toEqual(marks)
  })
})

describe('what is copied of plain text', () => {
  it('is every line of a long answer, once', async () => {
    await showAnswer(cited(LONG), { plain: true })
    getSelection()?.selectAllChildren(prose())
    expect(getSelection()?.toString()).toBe(LONG)
  })

  it('is what the agent wrote, marks too', async () => {
    await showAnswer(cited(WORDS), { plain: true })
    getSelection()?.selectAllChildren(prose())
    expect(getSelection()?.toString()).toBe(WORDS)
    await userEvent.hover(mark(1))
    expect(prose().textContent).toBe(WORDS)
  })
})

describe('a long answer in markdown', () => {
  it('keeps the elements and the marks that are there when more comes, and none of them moves', async () => {
    const chat = await showAnswer(cited(LONG), { status: 'streaming' })
    const settled = (): HTMLElement[] => [
      ...document.querySelectorAll<HTMLElement>('.cs-md-run > *, .cs-md li, .cs-prose button'),
    ]
    const before = settled()
    const places = before.map((element) => element.getBoundingClientRect().toJSON() as unknown)
    expect(before.filter(({ tagName }) => tagName === 'BUTTON')).toHaveLength(24)
    for (const more of [
      ' is',
      ' is **not',
      ` is **not** yet here\n\n${LONG}`,
      ` is **not** yet here\n\n${LONG}\n\n# Done`,
    ]) {
      act(() => chat.change('a', { parts: cited(`${LONG}${more}`) }))
      expect(settled().filter((element) => before.includes(element))).toEqual(before)
      // What grows is the last paragraph; all above it and every mark keeps its place.
      const now = before.map((element) => element.getBoundingClientRect().toJSON() as unknown)
      const growing = before.findIndex((element) => element.textContent.includes('The end'))
      expect(now.filter((_, at) => at !== growing)).toEqual(places.filter((_, at) => at !== growing))
    }
  })

  it('keeps its marks on the line when a source comes late', async () => {
    const words = '## Bends\n\n- It wears **back**.[1]\n- And so it goes on.'
    const chat = await showAnswer([text(words)], { status: 'streaming' })
    const items = [...document.querySelectorAll('.cs-md li')]
    const tops = items.map((item) => item.getBoundingClientRect().top)
    act(() => chat.change('a', { parts: cited(words) }))
    expect([...document.querySelectorAll('.cs-md li')]).toEqual(items)
    expect(items.map((item) => item.getBoundingClientRect().top)).toEqual(tops)
    expect(mark(1).closest('li')).toBe(items[0])
  })

  it('copies as its words, marks too', async () => {
    await showAnswer()
    getSelection()?.selectAllChildren(prose())
    expect(getSelection()?.toString().replaceAll(/\s+/g, ' ')).toBe(WORDS.replaceAll(/\s+/g, ' '))
  })
})
