// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { CitationBlock } from '../../src/components/citation-block/citation-block.tsx'
import { findMarks } from '../../src/components/citation-block/citation-marks.ts'
import { collectCitations } from '../../src/components/citation-block/collect-citations.ts'
import { Message } from '../../src/components/message/message.tsx'
import { safeLink, safeMedia } from '../../src/components/safe-url.ts'
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
