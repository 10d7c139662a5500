// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { MarkdownProvider } from '../../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../../src/components/markdown-block/rich-text-engine.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import type { FakeChat } from '../fake-chat.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'
import { oxbow, river, sources } from './river-sources.ts'

type Mode = 'markdown' | 'plain text'

function open(mode: Mode): FakeChat {
  const chat = createFakeChat({ messages: [answer('a', [text('')], { status: 'streaming' })], status: 'streaming' })
  show(
    chat,
    <MarkdownProvider engine={mode === 'markdown' ? markdownEngine : 'off'}>
      <Message messageId="a" />
    </MarkdownProvider>,
  )
  return chat
}

const prose = (): Element => document.querySelector('.cs-prose') ?? document.body
/** What is seen of the answer: a mark as `▯` while it is empty, else as `▮`. */
function seen(): string {
  // The page is a copy without React, which is not disturbed.
  const copy = prose().cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('.cs-hidden')) hidden.remove()
  for (const mark of copy.querySelectorAll('.cs-cite, .cs-md-mark'))
    mark.replaceWith(mark.hasAttribute('data-pending') ? '▯' : '▮')
  return copy.textContent?.trim() ?? ''
}

/** What is seen after each letter. */
function play(chat: FakeChat, words: string): readonly string[] {
  return Array.from({ length: words.length }, (_, at) => {
    act(() => chat.change('a', { parts: [text(words.slice(0, at + 1))] }))
    return seen()
  })
}

const TEXTS: readonly (readonly [mode: Mode, words: string, live: string, ended: string])[] = [
  ['markdown', 'It bends.[1] Then.[2, 3] So', 'It bends.▯ Then.▯▯ So', 'It bends.[1] Then.[2, 3] So'],
  ['plain text', 'It bends.[1] Then.[2, 3] So', 'It bends.▯ Then.▯▯ So', 'It bends.[1] Then.[2, 3] So'],
  ['markdown', '- *It[4]*\n- bends [^a] so', 'It▯bends ▯ so', 'It[4]bends [^a] so'],
  ['markdown', '| a [1] | b |\n|---|---|\n| c[^2] | d[3] |\n', 'a ▯bc▯d▯', 'a [1]bc[^2]d[3]'],
  ['markdown', '> It bends.[^note] So', 'It bends.▯ So', 'It bends.[^note] So'],
]

describe('a mark whose source is not there', () => {
  it.each(TEXTS)(
    'has its place in %s at every letter of %j, and is text when none has come',
    (mode, words, live, ended) => {
      const chat = open(mode)
      const states = play(chat, words)
      for (const state of states) expect(state).not.toMatch(/[[\]^]/)
      expect(states.at(-1)).toBe(live)
      act(() => chat.change('a', { status: 'complete' }))
      expect(seen()).toBe(ended)
    },
  )

  it('becomes the mark of its source or note, one by one', () => {
    const chat = open('markdown')
    const words = 'It bends.[1] Then.[2][^a] And.[^b]'
    play(chat, words)
    expect(seen()).toBe('It bends.▯ Then.▯▯ And.▯')
    act(() => chat.change('a', { parts: [text(words), sources('c', river)] }))
    expect(seen()).toBe('It bends.▮ Then.▯▯ And.▯')
    act(() => chat.change('a', { parts: [text(`${words}\n\n[^a]: One.\n\nMore`), sources('c', river, oxbow)] }))
    expect(seen()).toMatch(/^It bends\.▮ Then\.▮▮ And\.▯/)
    act(() => chat.change('a', { status: 'stopped' }))
    expect(seen()).toMatch(/^It bends\.▮ Then\.▮▮ And\.\[\^b\]/)
  })

  it.each<[name: string, words: string]>([
    ['an inline code', 'Read `a[1]` and `b[^2]` so'],
    ['a block of code', '```\na[1] = b[^2]\n```\n\nso'],
    ['what no source can be', 'Read a[0], [1234] and [^ x] so'],
  ])('leaves %s as it is', (_, words) => {
    const chat = open('markdown')
    play(chat, words)
    expect(prose().querySelector('[data-pending]')).toBeNull()
    const live = seen()
    act(() => chat.change('a', { status: 'complete' }))
    expect(seen()).toBe(live)
  })

  it('shows half of a mark as soon as it cannot be one', () => {
    const chat = open('markdown')
    const states = play(chat, 'See [3 apples] and [12345 so')
    expect(states.filter((state) => /\[\d{1,3}$/.test(state))).toEqual([])
    // It may be a link by now, whose brackets are not shown.
    expect(states).toContain('See 3 a')
    act(() => chat.change('a', { status: 'complete' }))
    expect(seen()).toBe('See [3 apples] and [12345 so')
  })
})
