// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Message } from '../../src/components/message/message.tsx'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { answer, createFakeChat, said, text } from './fake-chat.ts'
import { show } from './show.tsx'

const region = (): HTMLElement => screen.getByRole('region', { name: 'Transcript' })

/** Gives the scrolling element a size, as jsdom lays nothing out. */
function layOut(heights: { scroll: number; client: number }): void {
  Object.defineProperty(region(), 'scrollHeight', { configurable: true, get: () => heights.scroll })
  Object.defineProperty(region(), 'clientHeight', { configurable: true, get: () => heights.client })
}

function scrollTo(top: number): void {
  region().scrollTop = top
  fireEvent.scroll(region())
}

describe('a transcript', () => {
  it('is a log that is not read out while it grows', () => {
    show(createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] }), <MessageList />)
    const log = screen.getByRole('log', { name: 'Conversation' })
    expect(log.getAttribute('aria-live')).toBe('off')
    expect(screen.getAllByRole('article').map((message) => message.getAttribute('aria-label'))).toEqual(['You', 'Assistant'])
  })

  it('renders one message for a token, however long the thread is', () => {
    const before = Array.from({ length: 50 }, (_, index) => answer(`m${index}`, [text(`Answer ${index}`)]))
    const chat = createFakeChat({ status: 'streaming', messages: [...before, answer('live', [text('')], { status: 'streaming' })] })
    const rendered: string[] = []
    const list = vi.fn()
    const renderMessage = (id: string) => (
      <Profiler key={id} id={id} onRender={(which) => rendered.push(which)}>
        <Message messageId={id} />
      </Profiler>
    )
    show(
      chat,
      <Profiler id="list" onRender={list}>
        <MessageList renderMessage={renderMessage} />
      </Profiler>,
    )
    expect(rendered).toHaveLength(51)
    rendered.length = 0
    let words = ''
    for (let token = 0; token < 100; token += 1) {
      words += `word${token} `
      act(() => chat.change('live', { parts: [text(words)] }))
    }
    expect(screen.getAllByRole('article').at(-1)?.textContent).toBe(words)
    expect(rendered).toHaveLength(100)
    expect(new Set(rendered)).toEqual(new Set(['live']))
  })

  it('renders nothing at all when only the line changes its mind about nothing', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] })
    const rendered = vi.fn()
    show(
      chat,
      <Profiler id="list" onRender={rendered}>
        <MessageList />
      </Profiler>,
    )
    rendered.mockClear()
    act(() => chat.set({ warnings: [] }))
    act(() => chat.set({ messages: [...chat.getSnapshot().messages] }))
    expect(rendered).not.toHaveBeenCalled()
  })

  it('stops listening when it goes', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] })
    const { unmount } = show(chat, <MessageList />)
    expect(chat.listeners).toBeGreaterThan(0)
    unmount()
    expect(chat.listeners).toBe(0)
  })
})

describe('reading a transcript that grows', () => {
  const start = (heights: { scroll: number; client: number }) => {
    const grown: (() => void)[] = []
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => void) {
          grown.push(callback)
        }
        observe(): void {}
        disconnect(): void {}
      },
    )
    const chat = createFakeChat({ status: 'streaming', messages: [said('u', 'Hi'), answer('a', [text('Ho')], { status: 'streaming' })] })
    show(chat, <MessageList />)
    vi.unstubAllGlobals()
    layOut(heights)
    return {
      chat,
      grow(scroll: number) {
        heights.scroll = scroll
        act(() => grown.forEach((callback) => callback()))
      },
    }
  }

  it('follows at the live edge, 48 px and less from the end', () => {
    const { grow } = start({ scroll: 1000, client: 400 })
    grow(1100)
    expect(region().scrollTop).toBe(1100)
    scrollTo(700 - 48)
    grow(1200)
    expect(region().scrollTop).toBe(1200)
    expect(screen.queryByRole('button', { name: /Jump/ })).toBeNull()
  })

  it('holds the place of a reader further up, and offers the way back', () => {
    const { grow, chat } = start({ scroll: 1000, client: 400 })
    scrollTo(600)
    scrollTo(600 - 49)
    grow(1300)
    expect(region().scrollTop).toBe(600 - 49)
    const jump = screen.getByRole('button', { name: 'Jump to latest' })
    expect(jump.hasAttribute('data-new')).toBe(false)
    act(() => chat.change('a', { parts: [text('Ho, there')] }))
    expect(screen.getByRole('button', { name: 'Jump to latest, new content below' }).hasAttribute('data-new')).toBe(true)
    fireEvent.click(jump)
    expect(region().scrollTop).toBe(1300)
    expect(document.activeElement).toBe(region())
    expect(screen.queryByRole('button', { name: /Jump/ })).toBeNull()
    grow(1400)
    expect(region().scrollTop).toBe(1400)
  })

  it('takes growth that outruns it for growth, not for a wish to leave', () => {
    const heights = { scroll: 1000, client: 400 }
    const { grow } = start(heights)
    scrollTo(600)
    // A table arrives: the page is taller before we could follow, and the browser reports the last scroll only now.
    heights.scroll = 1900
    fireEvent.scroll(region())
    expect(screen.queryByRole('button', { name: /Jump/ })).toBeNull()
    grow(1900)
    expect(region().scrollTop).toBe(1900)
  })

  it('comes back to the end for what the person sends', () => {
    const { chat } = start({ scroll: 1000, client: 400 })
    scrollTo(600)
    scrollTo(100)
    act(() => chat.set({ messages: [...chat.getSnapshot().messages, answer('b', [text('not asked for')])] }))
    expect(region().scrollTop).toBe(100)
    act(() => chat.set({ messages: [...chat.getSnapshot().messages, said('u2', 'Next')] }))
    expect(region().scrollTop).toBe(1000)
  })
})
