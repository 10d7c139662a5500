// @vitest-environment jsdom
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { cutText, markSupported, splitAtMarks } from '../../../src/components/citation-block/collect-citations.ts'
import { CitationProvider } from '../../../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../../../src/components/citation-block/cited-text.tsx'
import { MarkdownBlock } from '../../../src/components/markdown-block/markdown-block.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import type { Citation } from '../../../src/seam/agent-event.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'
import { marks, numbered, oxbow, river, sources } from './river-sources.ts'

describe('marks in text', () => {
  it.each([
    ['One [1], two [2].', ['One ', '[1]', ', two ', '[2]', '.']],
    ['[1, 2] and [1,3] and [1 ,3]', ['', '[1, 2]', ' and ', '[1,3]', ' and ', '[1 ,3]', '']],
    ['[1][2]', ['', '[1]', '', '[2]', '']],
    ['half of [1', ['half of [1']],
    ['over [1,\n2] lines, [1234], [-1], [ 1 ], [1]]', ['over [1,\n2] lines, [1234], [-1], [ 1 ], ', '[1]', ']']],
    ['', ['']],
  ])('%j', (words, stretches) => {
    expect(splitAtMarks(words)).toEqual(stretches)
    expect(splitAtMarks(words).join('')).toBe(words)
  })

  it('cost linear time on hostile text', () => {
    for (const hostile of ['[1,'.repeat(50_000), '['.repeat(200_000), '[1, 2'.repeat(40_000)]) {
      expect(splitAtMarks(hostile)).toEqual([hostile])
      expect(cutText(hostile).join('')).toBe(hostile)
    }
  })

  const Shown = ({ words, count = 3 }: { readonly words: string; readonly count?: number }): ReactNode => (
    <CitationProvider citations={numbered(count)}>
      <p>
        <CitedText text={words} />
      </p>
    </CitationProvider>
  )

  it('are buttons that say which source, and leave every letter where it was', () => {
    const words = 'One.[1] Two [2, 1], three[3][01] and [9], a[0] <b>not bold</b>\u202E'
    const { container } = render(<Shown words={words} />)
    expect(container.textContent).toBe(words)
    expect(marks().map((mark) => [mark.textContent, mark.getAttribute('aria-label')])).toEqual([
      ['1', 'Source 1: Source title 1'],
      ['2', 'Source 2: Source title 2'],
      ['1', 'Source 1: Source title 1'],
      ['3', 'Source 3: Source title 3'],
      ['01', 'Source 1: Source title 1'],
    ])
  })

  it('are text until their bracket closes and their source is there', () => {
    const { container, rerender } = render(<Shown words="It bends.[1" count={0} />)
    const paragraph = container.querySelector('p')
    rerender(<Shown words="It bends.[1]" count={0} />)
    expect(marks()).toEqual([])
    expect(paragraph?.textContent).toBe('It bends.[1]')
    rerender(<Shown words="It bends.[1] Always.[1, 2]" count={1} />)
    expect(marks()).toHaveLength(1)
    const [first] = marks()
    rerender(<Shown words="It bends.[1] Always.[1, 2] So" count={2} />)
    expect(marks()).toHaveLength(3)
    expect(marks()[0]).toBe(first)
    expect(paragraph?.textContent).toBe('It bends.[1] Always.[1, 2] So')
  })

  it('are in markdown too, and nowhere without sources around', () => {
    const { container } = render(
      <CitationProvider citations={[river]}>
        <MarkdownBlock content="**Bends**[1]" />
      </CitationProvider>,
    )
    expect(marks()).toHaveLength(1)
    expect(container.textContent).toBe('Bends[1]')
    expect(container.querySelector('strong')?.textContent).toBe('Bends')
    expect(render(<MarkdownBlock content="Bends[1]" />).container.querySelector('button')).toBeNull()
  })
})

describe('a citation that names the words it supports', () => {
  const supporting: Citation = { ...river, text: 'about ten widths' }

  it.each([
    ['It is about ten widths long.', 'It is about ten widths[1] long.'],
    ['about ten widths, about ten widths', 'about ten widths[1], about ten widths'],
    ['It is about ten widths long.[1]', 'It is about ten widths long.[1]'],
    ['It is about 10 widths long.', 'It is about 10 widths long.'],
  ])('marks them where the agent did not: %j', (words, marked) => {
    expect(markSupported(words, [supporting])).toBe(marked)
  })

  it('shares a place with another, in whatever characters', () => {
    const words = 'cost $& and 💧 [x]'
    expect(
      markSupported(`It ${words} ends`, [
        { ...river, text: words },
        { ...oxbow, text: words },
      ]),
    ).toMatch(/^It cost \$& and 💧 \[x\](\[1\]\[2\]|\[2\]\[1\]) ends$/)
    expect(
      markSupported('words', [
        { ...river, text: ' ' },
        { ...river, text: undefined },
      ]),
    ).toBe('words')
  })

  it('is marked in the answer', () => {
    show(
      createFakeChat({ messages: [answer('a', [text('It is about ten widths long.'), sources('c', supporting)])] }),
      <Message messageId="a" />,
    )
    expect(marks()).toHaveLength(1)
  })
})
