// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { CitationBlock, SourcesPanel } from '../../../src/components/citation-block/citation-block.tsx'
import { CitationProvider } from '../../../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../../../src/components/citation-block/cited-text.tsx'
import { collectCitations } from '../../../src/components/citation-block/collect-citations.ts'
import { Message } from '../../../src/components/message/message.tsx'
import type { Citation } from '../../../src/seam/agent-event.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'
import { numbered, oxbow, river, sources } from './river-sources.ts'

describe('the sources of an answer', () => {
  it('are numbered unchanged, and each is there once', () => {
    const parts = [
      sources('1', river, { ...river, title: 'The same again' }),
      text('words'),
      sources('2', { ...river, uri: 'https://other.example' }, river),
    ]
    expect(collectCitations(parts).map(({ uri, title }) => [uri, title])).toEqual([
      ['https://www.rivers.example/a', 'Rivers'],
      ['https://other.example', 'Rivers'],
    ])
  })

  it('learn from what comes later, and keep their number and what they said first', () => {
    const bare: Citation = {
      sourceId: 'r',
      uri: river.uri,
      title: 'Rivers, first',
      snippet: undefined,
      confidence: undefined,
    }
    expect(collectCitations([sources('1', bare, oxbow), sources('2', river)])).toEqual([
      { ...river, title: 'Rivers, first' },
      oxbow,
    ])
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
    for (const words of ['Source 1: ', 'Rivers', 'They bend.', 'rivers.example', '84%', 'opens in a new tab'])
      expect(link.textContent).toContain(words)
  })

  it.each(['bank.com', 'bank\u2024com', '\u202Emoc.knab', 'Rivers'])(
    'in a chip have their host and, for those who do not see the chip, their title: %s',
    (title) => {
      render(<CitationBlock citations={[{ ...river, title }]} compact />)
      expect(screen.getByRole('link').textContent).toMatch(/^Source 1: .+rivers\.example/s)
      expect(document.querySelector('.cs-source-host')?.textContent).toBe('rivers.example')
    },
  )

  it.each(['javascript:alert(1)', 'data:text/html,x', 'urn:isbn:1', '/relative', ''])(
    'at %j, which is not a web address, are words and say why',
    (uri) => {
      render(<CitationBlock citations={[{ ...river, uri, confidence: undefined }]} />)
      expect(screen.queryByRole('link')).toBeNull()
      const row = screen.getByRole('listitem').textContent
      expect(row).toContain(`${uri} (link disabled: not a web address)`)
      expect(row).not.toContain('%')
    },
  )

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

  it('are on an element of the app when it asks for that', () => {
    render(
      <CitationBlock
        citations={[river]}
        className="mine"
        render={(props, { count }) => <aside {...props} data-count={count} />}
      />,
    )
    const block = screen.getByRole('complementary', { name: 'Sources' })
    expect(block.className).toBe('cs-part cs-sources mine')
    expect(block.dataset['count']).toBe('1')
    expect(render(<CitationBlock citations={[]} />).container.innerHTML).toBe('')
  })

  it('come from a server without their own styles and without ids of the agent’s', () => {
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

describe('a copied answer', () => {
  it('brings the sources its marks name, by number', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    const parts = [
      text('They bend.[1]'),
      sources('c', river, { ...oxbow, uri: 'javascript:alert(1)' }),
      text('And part.[2]', 'text-2'),
    ]
    show(createFakeChat({ messages: [answer('a', parts)] }), <Message messageId="a" />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
    await settle()
    expect(writeText).toHaveBeenCalledWith(
      'They bend.[1]\n\nAnd part.[2]\n\n[1] Rivers https://www.rivers.example/a\n[2] Oxbow lakes',
    )
    vi.unstubAllGlobals()
  })
})

it('shows one number for each source: the letter of a host, and never a figure of it', () => {
  const { container } = render(
    <CitationBlock
      citations={['https://rivers.example/a', 'http://127.0.0.1:5173/b', 'https://1st.example/c', 'http://[::1]/d'].map(
        (uri, index) => ({ sourceId: `s${index}`, uri, title: 'Bends' }),
      )}
    />,
  )
  const rows = [...container.querySelectorAll('.cs-source-item')]
  expect(rows.map((row) => row.querySelector('.cs-monogram')?.textContent ?? '')).toEqual(['r', '', '', ''])
  expect(rows.map((row) => row.querySelector('.cs-source-host')?.textContent)).toEqual([
    'rivers.example',
    '127.0.0.1:5173',
    '1st.example',
    '[::1]',
  ])
  expect(rows.map((row) => row.querySelector('.cs-cite')?.textContent)).toEqual(['1', '2', '3', '4'])
})
