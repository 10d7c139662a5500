// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { ArtifactCard } from '../../src/components/artifact-card/artifact-card.tsx'
import { CitationBlock } from '../../src/components/citation-block/citation-block.tsx'
import { findMarks } from '../../src/components/citation-block/citation-marks.ts'
import { collectCitations } from '../../src/components/citation-block/collect-citations.ts'
import { DataBlock } from '../../src/components/data-block/data-block.tsx'
import { MediaCarousel } from '../../src/components/media-carousel/media-carousel.tsx'
import { Message } from '../../src/components/message/message.tsx'
import { ProgressIndicator } from '../../src/components/progress-indicator/progress-indicator.tsx'
import { safeLink, safeMedia } from '../../src/components/safe-url.ts'
import { ThoughtTrace } from '../../src/components/thought-trace/thought-trace.tsx'
import type { MessagePart } from '../../src/state/message.ts'
import { answer, createFakeChat, text } from './fake-chat.ts'
import { show } from './show.tsx'

const river = { sourceId: 'r', uri: 'https://www.rivers.example/a', title: 'Rivers', snippet: 'They bend.', confidence: 0.84 }

describe('the gate for addresses', () => {
  it.each(['https://a.example/x', 'http://a.example', 'mailto:a@b.example', 'HTTPS://A.EXAMPLE'])('lets %s be a link', (address) => {
    expect(safeLink(address)).toBeInstanceOf(URL)
  })

  it.each([
    'javascript:alert(1)',
    ' \u0001java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    '//a.example/x',
    '/relative',
    '#hash',
    '',
    'https://',
    undefined,
  ])('lets %j be text only', (address) => {
    expect(safeLink(address)).toBeUndefined()
  })

  it('loads no picture by mail, and none that is not remote', () => {
    expect(safeMedia('https://a.example/x.png')?.href).toBe('https://a.example/x.png')
    expect(safeMedia('mailto:a@b.example')).toBeUndefined()
    expect(safeMedia('data:image/svg+xml,<svg onload=alert(1)>')).toBeUndefined()
  })
})

describe('sources', () => {
  it('are numbered, and each stands there once', () => {
    const parts: MessagePart[] = [
      { type: 'citations', id: '1', citations: [river, { ...river, title: 'The same again' }] },
      text('words'),
      { type: 'citations', id: '2', citations: [{ ...river, uri: 'https://other.example' }, river] },
    ]
    expect(collectCitations(parts).map(({ uri }) => uri)).toEqual(['https://www.rivers.example/a', 'https://other.example'])
  })

  it('lead away without telling the agent’s page where from', () => {
    render(<CitationBlock citations={[river]} />)
    const link = screen.getByRole('link')
    expect(link.getAttribute('href')).toBe('https://www.rivers.example/a')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    for (const words of ['Rivers', 'They bend.', 'rivers.example', '84%']) expect(link.textContent).toContain(words)
  })

  it('whose address is no web address are words', () => {
    render(<CitationBlock citations={[{ ...river, uri: 'javascript:alert(1)', confidence: undefined }]} />)
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getByRole('listitem').textContent).toContain('javascript:alert(1)')
    expect(screen.getByRole('listitem').textContent).not.toContain('%')
  })

  it('take the focus when their mark in the text is used, and the address bar stays', () => {
    Element.prototype.scrollIntoView = vi.fn()
    const parts: MessagePart[] = [text('They bend.[1]'), { type: 'citations', id: 'c', citations: [river] }]
    show(createFakeChat({ messages: [answer('a', parts)] }), <Message messageId="a" />)
    const mark = screen.getByRole('link', { name: 'Source 1' })
    expect(fireEvent.click(mark)).toBe(false)
    expect(document.activeElement).toBe(within(screen.getByRole('list')).getByRole('link'))
  })
})

describe('marks in text', () => {
  it.each([
    ['One [1], two [2].', 2, ['One ', '[1]', ', two ', '[2]', '.']],
    ['[1, 2] and [1,3]', 2, ['[1, 2]', ' and [1,3]']],
    ['a[0] and [7]', 2, ['a[0] and [7]']],
    ['half of [1', 2, ['half of [1']],
    ['none [1]', 0, ['none [1]']],
    ['', 3, []],
  ])('%j with %i sources', (words, count, expected) => {
    const stretches = findMarks(words, count)
    expect(stretches.map((stretch) => (stretch.type === 'words' ? stretch.text : `[${stretch.numbers.join('')}]`))).toEqual(expected)
  })

  it('cost linear time on hostile text', () => {
    const words = '[1,'.repeat(50_000)
    expect(findMarks(words, 9)).toEqual([{ type: 'words', at: 0, text: words }])
  })
})

describe('pictures from elsewhere', () => {
  it('are not loaded until they are asked for', () => {
    render(<MediaCarousel items={[{ url: 'https://pictures.example/a.jpg', mimeType: 'image/jpeg', alt: 'A bend' }]} />)
    expect(document.querySelector('img')).toBeNull()
    expect(document.querySelector('link')).toBeNull()
    expect(screen.getByRole('listitem').textContent).toContain('pictures.exampleJPEG, loaded only if you ask')
    fireEvent.click(screen.getByRole('button', { name: 'Load image' }))
    const image = screen.getByRole('img', { name: 'A bend' })
    expect(image.getAttribute('referrerpolicy')).toBe('no-referrer')
    fireEvent.error(image)
    expect(screen.getByRole('listitem').textContent).toContain('Could not load')
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    fireEvent.load(screen.getByRole('img'))
    expect(screen.getByRole('figure').dataset['state']).toBe('loaded')
  })

  it('with an address that is none are said to be so', () => {
    render(<MediaCarousel items={[{ url: 'data:image/png;base64,AA', mimeType: 'image/png' }]} />)
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByText('This address cannot be opened')).toBeTruthy()
  })

  it('and other files are links', () => {
    render(<MediaCarousel items={[{ url: 'https://files.example/r.pdf', mimeType: 'application/pdf' }]} />)
    expect(screen.getByRole('link').getAttribute('href')).toBe('https://files.example/r.pdf')
  })
})

describe('data', () => {
  it('as a table, from columns and rows', () => {
    render(<DataBlock viewHint="TABLE" data={{ columns: ['width', 'bends'], rows: [['40 m', 4], ['250 m', 1]] }} />)
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['width', 'bends'])
    expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['40 m', '4', '250 m', '1'])
    expect(screen.getAllByRole('cell')[1]?.hasAttribute('data-numeric')).toBe(true)
  })

  it('as a table, from objects that do not all have the same keys', () => {
    render(<DataBlock viewHint="TABLE" data={[{ a: 1 }, { b: { c: 2 } }]} />)
    expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['1', '', '', '{"c":2}'])
  })

  it.each([
    ['LIST', ['one', { two: 2 }], 'list', 'one{"two":2}'],
    ['KEY_VALUE', { width: '40 m' }, 'pairs', 'width40 m'],
    ['JSON', { a: [1] }, 'json', '{\n  "a": [\n    1\n  ]\n}'],
    ['TABLE', 'no table at all', 'json', 'no table at all'],
    ['KEY_VALUE', null, 'json', 'null'],
  ] as const)('%s of %j is shown as %s', (viewHint, data, view, words) => {
    const { container } = render(<DataBlock viewHint={viewHint} data={data} />)
    expect(container.querySelector('[data-view]')?.getAttribute('data-view')).toBe(view)
    expect(container.textContent).toBe(words)
  })

  it('that has no end is cut, and says so', () => {
    const { container } = render(<DataBlock viewHint="TABLE" data={Array.from({ length: 1000 }, (_, index) => ({ index }))} />)
    expect(container.querySelectorAll('td')).toHaveLength(200)
    expect(screen.getByText('800 more not shown')).toBeTruthy()
  })

  it('that refers to itself does not break the page', () => {
    const data: Record<string, unknown> = {}
    data['self'] = data
    render(<DataBlock data={data} />)
    expect(screen.getByRole('region').textContent).toBe('[object Object]')
  })
})

describe('an artifact', () => {
  it('is a name and a link, or words when the address is none', () => {
    const { rerender } = render(<ArtifactCard url="https://files.example/out/my%20report.pdf?x=1" mimeType="application/pdf" />)
    expect(screen.getByText('my report.pdf')).toBeTruthy()
    expect(screen.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer nofollow')
    rerender(<ArtifactCard artifactId="a-1" url="javascript:alert(1)" />)
    expect(screen.getByText('a-1')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })
})

describe('progress', () => {
  it('keeps a share inside its row, whatever the agent says', () => {
    render(
      <ProgressIndicator
        steps={[
          { id: '1', label: 'A', status: 'running', fraction: 45 },
          { id: '2', label: 'B', status: 'running', fraction: -1 },
          { id: '3', label: 'C', status: 'running', fraction: Number.NaN },
        ]}
      />,
    )
    expect(screen.getAllByRole<HTMLProgressElement>('progressbar').map((bar) => bar.getAttribute('value'))).toEqual(['1', '0', null])
  })

  it('has a word for every state', () => {
    render(
      <ProgressIndicator
        steps={[
          { id: '1', label: 'A', status: 'pending' },
          { id: '2', label: 'B', status: 'running' },
          { id: '3', label: 'C', status: 'complete' },
          { id: '4', label: 'D', status: 'failed', detail: 'no answer in 30 s' },
        ]}
      />,
    )
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(['AWaiting', 'BRunning', 'CDone', 'D no answer in 30 sFailed'])
  })

  it('stands still once the answer has ended', () => {
    render(<ProgressIndicator live={false} steps={[{ id: '1', label: 'A', status: 'running' }]} />)
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(document.querySelector('.cs-spin')).toBeNull()
  })
})

describe('a thought', () => {
  const thoughts = [{ id: '1', text: 'Two gauges have no width.' }]
  const fold = (): HTMLDetailsElement => document.querySelector('details')!

  it('is open while it runs and folds when it is done', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    expect(fold().open).toBe(true)
    expect(screen.getByText('Thinking')).toBeTruthy()
    rerender(<ThoughtTrace thoughts={thoughts} durationMs={4100} />)
    expect(fold().open).toBe(false)
    expect(fold().querySelector('summary')?.textContent).toBe('Thought for 4 s')
  })

  it('stays as the reader put it', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    const toggle = (open: boolean): void => {
      // What the browser does when a summary is used; jsdom fires no toggle event by itself.
      fireEvent.click(fold().querySelector('summary')!)
      act(() => {
        fold().open = open
        fold().dispatchEvent(new Event('toggle'))
      })
    }
    toggle(false)
    toggle(true)
    rerender(<ThoughtTrace thoughts={thoughts} />)
    expect(fold().open).toBe(true)
  })

  it('that the agent hides is one line', () => {
    const { container } = render(<ThoughtTrace thoughts={[{ id: '1', text: '', redacted: true }]} />)
    expect(container.textContent).toBe('Reasoning hidden by the agent')
    expect(container.querySelector('details')).toBeNull()
  })
})
