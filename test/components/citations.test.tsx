// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Profiler } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { CitationBlock } from '../../src/components/citation-block/citation-block.tsx'
import { cutText, markSupported, splitAtMarks } from '../../src/components/citation-block/citation-marks.ts'
import { CitationProvider } from '../../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../../src/components/citation-block/cited-text.tsx'
import { collectCitations } from '../../src/components/citation-block/collect-citations.ts'
import { SourcesPanel } from '../../src/components/citation-block/sources-panel.tsx'
import { MarkdownBlock } from '../../src/components/markdown-block/markdown-block.tsx'
import { Message } from '../../src/components/message/message.tsx'
import type { Citation } from '../../src/protocols/agent-event.ts'
import type { MessagePart } from '../../src/state/message.ts'
import { answer, createFakeChat, text } from './fake-chat.ts'
import { settle, show } from './show.tsx'

const river: Citation = { sourceId: 'r', uri: 'https://www.rivers.example/a', title: 'Rivers', snippet: 'They bend.', confidence: 0.84 }
const oxbow: Citation = { sourceId: 'o', uri: 'https://lakes.example/o', title: 'Oxbow lakes' }
const numbered = (count: number): readonly Citation[] => Array.from({ length: count }, (_, at) => ({ ...river, sourceId: `s${at + 1}`, title: `Source title ${at + 1}` }))
const sources = (id: string, ...citations: readonly Citation[]): MessagePart => ({ type: 'citations', id, citations })
const marks = (): HTMLElement[] => screen.queryAllByRole('button', { name: /^Source \d+: / })

describe('the sources of an answer', () => {
  it('are numbered as they came, and each stands there once', () => {
    const parts = [sources('1', river, { ...river, title: 'The same again' }), text('words'), sources('2', { ...river, uri: 'https://other.example' }, river)]
    expect(collectCitations(parts).map(({ uri, title }) => [uri, title])).toEqual([
      ['https://www.rivers.example/a', 'Rivers'],
      ['https://other.example', 'Rivers'],
    ])
  })

  it('learn from what comes later, and keep their number and what they said first', () => {
    const bare: Citation = { sourceId: 'r', uri: river.uri, title: 'Rivers, first', snippet: undefined, confidence: undefined }
    expect(collectCitations([sources('1', bare, oxbow), sources('2', river)])).toEqual([{ ...river, title: 'Rivers, first' }, oxbow])
  })

  it('are the same list while only other things come', () => {
    const [first, second] = [sources('1', river), sources('2', oxbow, river)]
    const before = collectCitations([first, second, text('One')])
    expect(collectCitations([first, text('One, two'), second])).toBe(before)
    expect(collectCitations([first, text('One, two'), sources('2', oxbow, river)])).not.toBe(before)
    expect(collectCitations([text('a')])).toBe(collectCitations([text('b')]))
  })

  it('lead away without telling the agent’s page where from', () => {
    render(<CitationBlock citations={[river]} />)
    const link = screen.getByRole('link')
    expect(link.getAttribute('href')).toBe('https://www.rivers.example/a')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    for (const words of ['Source 1: ', 'Rivers', 'They bend.', 'rivers.example', '84%', 'opens in a new tab']) expect(link.textContent).toContain(words)
  })

  it.each(['bank.com', 'bank\u2024com', '\u202Emoc.knab', 'Rivers'])('in a chip have their host and, for those who do not see the chip, their title: %s', (title) => {
    render(<CitationBlock citations={[{ ...river, title }]} compact />)
    expect(screen.getByRole('link').textContent).toMatch(/^Source 1: .+rivers\.example/s)
    expect(document.querySelector('.cs-source-host')?.textContent).toBe('rivers.example')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'urn:isbn:1', '/relative', ''])('at %j, which is no web address, are words and say why', (uri) => {
    render(<CitationBlock citations={[{ ...river, uri, confidence: undefined }]} />)
    expect(screen.queryByRole('link')).toBeNull()
    const row = screen.getByRole('listitem').textContent
    expect(row).toContain(`${uri} (not a web address, so not a link)`)
    expect(row).not.toContain('%')
  })

  it('have a name, whatever the agent called them', () => {
    const named = (change: Partial<Citation>): string | undefined => {
      const { container, unmount } = render(<CitationBlock citations={[{ ...river, ...change }]} />)
      const name = container.querySelector('b')?.textContent
      unmount()
      return name
    }
    expect(named({ title: '' })).toBe('rivers.example')
    expect(named({ title: ' \n' })).toBe('rivers.example')
    expect(named({ title: ' ', uri: 'urn:x' })).toBe('r')
    expect(named({ title: '', uri: 'urn:x', sourceId: '' })).toBe('urn:x')
    expect(named({ title: '<b>x</b>\u202Efdp.exe' })).toBe('<b>x</b>\u202Efdp.exe')
  })

  it('go into the panel from the seventh on', () => {
    const { container, rerender } = render(<CitationBlock citations={numbered(6)} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(6)
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
    rerender(<CitationBlock citations={numbered(7)} />)
    expect(screen.getByRole('button', { name: 'Show all 7' }).getAttribute('aria-haspopup')).toBe('dialog')
    expect(container.querySelectorAll('.cs-sources > ol > li')).toHaveLength(6)
    expect(container.querySelectorAll('dialog[popover] li')).toHaveLength(7)
    rerender(<CitationBlock citations={numbered(7)} limit={2} compact />)
    expect(container.querySelectorAll('.cs-sources > ol > li')).toHaveLength(2)
  })

  it('stand on an element of the app when it asks for that', () => {
    render(<CitationBlock citations={[river]} className="mine" render={(props, { count }) => <aside {...props} data-count={count} />} />)
    const block = screen.getByRole('complementary', { name: 'Sources' })
    expect(block.className).toBe('cs-part cs-sources mine')
    expect(block.dataset['count']).toBe('1')
    expect(render(<CitationBlock citations={[]} />).container.innerHTML).toBe('')
  })

  it('come from a server without styles of their own and without ids of the agent’s', () => {
    const html = renderToString(
      <CitationProvider citations={numbered(9)}>
        <CitedText text="One [1] and [2, 3]" />
        <CitationBlock citations={numbered(9)} />
        <SourcesPanel id="all" citations={numbered(9)} />
      </CitationProvider>,
    )
    expect(html).not.toMatch(/style=|id="s1|class="[^"]*s1/)
    expect(html).toContain('aria-expanded="false"')
  })
})

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

  it('stand in markdown too, and nowhere without sources around', () => {
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
    expect(markSupported(`It ${words} ends`, [{ ...river, text: words }, { ...oxbow, text: words }])).toMatch(/^It cost \$& and 💧 \[x\](\[1\]\[2\]|\[2\]\[1\]) ends$/)
    expect(markSupported('words', [{ ...river, text: ' ' }, { ...river, text: undefined }])).toBe('words')
  })

  it('is marked in the answer', () => {
    show(createFakeChat({ messages: [answer('a', [text('It is about ten widths long.'), sources('c', supporting)])] }), <Message messageId="a" />)
    expect(marks()).toHaveLength(1)
  })
})

describe('text that grows', () => {
  const line = 'Where the current brushes one side a little harder, that bank wears back.\n'

  it('is cut where it was cut before, so that only its end is read again', () => {
    const whole = line.repeat(60) + 'without an end'
    let before: readonly string[] = []
    for (let length = 0; length <= whole.length; length += 7) {
      const pieces = cutText(whole.slice(0, length))
      expect(pieces.join('')).toBe(whole.slice(0, length))
      expect(pieces.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      before = pieces
    }
    expect(before.length).toBeGreaterThan(10)
  })

  it('renders one piece for a token, whatever came before, and no mark or source again', () => {
    const parts = (words: string): MessagePart[] => [sources('c', river, oxbow), text(words)]
    const words = `A bend.[1]\n${line.repeat(400)}`
    const chat = createFakeChat({ status: 'streaming', messages: [answer('a', parts(words), { status: 'streaming' })] })
    show(chat, <Message messageId="a" />)
    const prose = document.querySelector('.cs-prose')
    const nodes = [...(prose?.childNodes ?? [])]
    const changed: Node[] = []
    const watch = new MutationObserver((records) => changed.push(...records.map(({ target }) => target)))
    watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    for (let token = 0; token < 20; token++) act(() => chat.change('a', { parts: [...parts(words).slice(0, 1), text(words + 'more '.repeat(token + 1))] }))
    changed.push(...watch.takeRecords().map(({ target }) => target))
    const touched = new Set(changed)
    expect(nodes.filter((node) => touched.has(node))).toHaveLength(0)
    // The prose itself, for the piece that began, and the text of that piece.
    expect(touched.size).toBeLessThanOrEqual(2)
    expect([...(prose?.childNodes ?? [])].slice(0, nodes.length - 1)).toEqual(nodes.slice(0, -1))
  })

  it('does not render the sources for a token', () => {
    const commits = vi.fn()
    const citations = [river, oxbow]
    const { rerender } = render(
      <Profiler id="sources" onRender={commits}>
        <CitationBlock citations={citations} />
      </Profiler>,
    )
    const first = commits.mock.calls.length
    rerender(
      <Profiler id="sources" onRender={commits}>
        <CitationBlock citations={[...citations]} />
      </Profiler>,
    )
    expect(commits.mock.calls.slice(first).every(([, phase]) => phase === 'update')).toBe(true)
    expect(screen.getAllByRole('listitem')).toHaveLength(2)
  })
})

describe('a copied answer', () => {
  it('brings the sources its marks name, by number', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    const parts = [text('They bend.[1]'), sources('c', river, { ...oxbow, uri: 'javascript:alert(1)' }), text('And part.[2]', 'text-2')]
    show(createFakeChat({ messages: [answer('a', parts)] }), <Message messageId="a" />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
    await settle()
    expect(writeText).toHaveBeenCalledWith('They bend.[1]\n\nAnd part.[2]\n\n[1] Rivers https://www.rivers.example/a\n[2] Oxbow lakes')
    vi.unstubAllGlobals()
  })
})

// jsdom has no popovers: their content counts as hidden.
describe('the card of a source', () => {
  const open = (): HTMLElement => {
    show(createFakeChat({ messages: [answer('a', [text('They bend.[1]'), sources('c', river)])] }), <Message messageId="a" />)
    const [mark] = marks()
    if (!mark) throw new Error('There is no mark.')
    act(() => mark.focus())
    return mark
  }

  it('stands right after its mark, says what it is, and is not read out', () => {
    const mark = open()
    expect(mark.getAttribute('aria-expanded')).toBe('true')
    const card = screen.getByRole('dialog', { hidden: true })
    expect(card.getAttribute('aria-label')).toBe('Source 1: Rivers')
    expect(mark.nextElementSibling).toBe(card)
    for (const words of ['rivers.example', 'They bend.', 'Confidence 84%']) expect(card.textContent).toContain(words)
    expect(within(card).getByRole('link', { hidden: true, name: /^Open source/ }).getAttribute('href')).toBe(river.uri)
    expect(document.querySelector('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')).toBeNull()
  })

  it('marks its source in the list, and a source its marks', () => {
    const mark = open()
    const row = screen.getByRole('listitem')
    expect(row.dataset['active']).toBe('')
    fireEvent.keyDown(mark, { key: 'Escape' })
    expect(row.dataset['active']).toBeUndefined()
    expect(mark.dataset['active']).toBeUndefined()
    fireEvent.pointerEnter(row)
    expect(mark.dataset['active']).toBe('')
    fireEvent.pointerLeave(row)
    expect(mark.dataset['active']).toBeUndefined()
  })

  it('of a source that is no web address has nothing to open', () => {
    show(createFakeChat({ messages: [answer('a', [text('They bend.[1]'), sources('c', { ...river, uri: 'javascript:alert(1)' })])] }), <Message messageId="a" />)
    act(() => marks()[0]?.focus())
    expect(screen.queryByRole('link', { hidden: true })).toBeNull()
    expect(screen.getByRole('dialog', { hidden: true }).textContent).toContain('javascript:alert(1) (not a web address, so not a link)')
  })
})
