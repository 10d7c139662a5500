// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { CitationBlock } from '../../../src/components/citation-block/citation-block.tsx'
import { cutText } from '../../../src/components/citation-block/collect-citations.ts'
import { Message } from '../../../src/components/message/message.tsx'
import type { MessagePart } from '../../../src/state/turn.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'
import { oxbow, river, sources } from './river-sources.ts'

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
    for (let token = 0; token < 20; token++)
      act(() => chat.change('a', { parts: [...parts(words).slice(0, 1), text(words + 'more '.repeat(token + 1))] }))
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
