// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHighlightedCode } from '../../../src/components/highlight/highlighted-code.tsx'
import type { HighlightOptions } from '../../../src/components/highlight/highlighted-code.tsx'
import type { LineTokenizer } from '../../../src/components/highlight/block-highlighting.ts'
import { Markdown } from '../../../src/markdown/view/markdown.tsx'
import '../show.tsx'

const grammars = (): Promise<{ default: object[] }> => Promise.resolve({ default: [{ name: 'words' }] })

/** Takes every number for a number, and keeps count of what it is asked. */
function spyTokenizer(): LineTokenizer & { readonly lines: string[]; readonly states: unknown[] } {
  const lines: string[] = []
  const states: unknown[] = []
  return {
    lines,
    states,
    tokenize(line, state) {
      lines.push(line)
      states.push(state)
      const tokens = line
        .split(/(\d+)/)
        .map((text) => ({ text, kind: /\d/.test(text) ? ('number' as const) : undefined }))
      return { tokens, state: lines.length }
    },
  }
}

function highlightedBy(
  tokenizer: LineTokenizer,
  options: HighlightOptions = {},
): { readonly code: ReturnType<typeof createHighlightedCode> } {
  return {
    code: createHighlightedCode({
      languages: { words: grammars },
      load: () => Promise.resolve(() => tokenizer),
      ...options,
    }),
  }
}

function answer(text: string, renderers: ReturnType<typeof highlightedBy>, live = false): ReactNode {
  return <Markdown text={text} live={live} renderers={renderers} />
}

/** Until nothing is loading and the queue is empty. */
async function idle(): Promise<void> {
  await act(async () => {
    await vi.runAllTimersAsync()
  })
}

const fence = (lines: readonly string[], language = 'words'): string =>
  `\`\`\`${language}\n${lines.join('\n')}\n\`\`\`\n`
const painted = (root: Element): (string | null)[] =>
  [...root.querySelectorAll('[data-token]')].map((element) => element.textContent)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a block that is complete', () => {
  it('is plain at first, then in colour, and says the same letter for letter', async () => {
    const lines = ['a 1', '', '  b 22 c', '\tlast 3']
    const { container } = render(answer(fence(lines), highlightedBy(spyTokenizer())))
    const code = container.querySelector('code')
    expect(painted(container)).toEqual([])
    expect(code?.textContent).toBe(lines.join('\n'))
    await idle()
    expect(painted(container)).toEqual(['1', '22', '3'])
    expect(code?.textContent).toBe(lines.join('\n'))
    expect(container.querySelector('[style]')).toBeNull()
  })

  it('reads each line once, in order, with what the line before left', async () => {
    const tokenizer = spyTokenizer()
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`)
    render(<StrictMode>{answer(fence(lines), highlightedBy(tokenizer))}</StrictMode>)
    await idle()
    expect(tokenizer.lines.slice(-100)).toEqual(lines)
    expect(tokenizer.states[0]).toBeUndefined()
    expect(tokenizer.states[99]).toBe(99)
    expect(tokenizer.lines).toHaveLength(100)
  })

  it('is plain on the server', () => {
    expect(renderToString(answer(fence(['a 1']), highlightedBy(spyTokenizer())))).not.toContain('data-token')
  })

  it('names invisible characters, also in colour', async () => {
    const { container } = render(answer(fence(['user\u202E 1']), highlightedBy(spyTokenizer())))
    const plain = container.querySelector('code')?.textContent
    await idle()
    expect(plain).toBe('user⟨U+202E⟩ 1')
    expect(container.querySelector('code')?.textContent).toBe(plain)
  })
})

describe('a block that grows', () => {
  it('has no colour in its open line, and never reads a closed one again', async () => {
    const tokenizer = spyTokenizer()
    const renderers = highlightedBy(tokenizer)
    const lines = Array.from({ length: 80 }, (_, at) => `${at} = ${at}`)
    const text = fence(lines)
    const { container, rerender } = render(answer('', renderers, true))
    for (let end = 1; end <= text.length; end += 3) {
      rerender(answer(text.slice(0, end), renderers, true))
      if (end % 5 === 0) await idle()
      const code = container.querySelector('code')
      const shown = code?.textContent ?? ''
      // The last element is never behind the last line end, so the open line has none.
      if (code?.lastChild instanceof Text)
        expect(painted(container).length).toBeLessThanOrEqual(2 * shown.split('\n').length)
    }
    expect(tokenizer.lines.length).toBeGreaterThan(70)
    rerender(answer(text, renderers))
    await idle()
    expect(tokenizer.lines).toEqual(lines)
    expect(container.querySelector('code')?.textContent).toBe(lines.join('\n'))
    expect(painted(container)).toHaveLength(160)
  })

  it('leaves the open line plain until it is closed', async () => {
    const tokenizer = spyTokenizer()
    const renderers = highlightedBy(tokenizer)
    const { container, rerender } = render(answer('```words\na 1\nb 2', renderers, true))
    await idle()
    expect(painted(container)).toEqual(['1'])
    rerender(answer('```words\na 1\nb 23\nc', renderers, true))
    await idle()
    expect(painted(container)).toEqual(['1', '23'])
    expect(tokenizer.lines).toEqual(['a 1', 'b 23'])
  })

  it('has colour in a line as soon as its end has come, also while half of a fence may be below it', async () => {
    const tokenizer = spyTokenizer()
    const renderers = highlightedBy(tokenizer)
    const { container, rerender } = render(answer('```words\na 1\nb 2\n', renderers, true))
    await idle()
    expect(painted(container)).toEqual(['1', '2'])
    for (const more of ['``', '``3', '``3\n']) {
      rerender(answer(`\`\`\`words\na 1\nb 2\n${more}`, renderers, true))
      await idle()
    }
    expect(painted(container)).toEqual(['1', '2', '3'])
    expect(tokenizer.lines).toEqual(['a 1', 'b 2', '``3'])
  })

  it('keeps the elements of its lines', async () => {
    const renderers = highlightedBy(spyTokenizer())
    const head = `\`\`\`words\n${'x 1\n'.repeat(40)}y`
    const { container, rerender } = render(answer(head, renderers, true))
    await idle()
    const before = [...container.querySelectorAll('[data-token]')]
    expect(before).toHaveLength(40)
    rerender(answer(`${head} 2\n${'y 2\n'.repeat(39)}\`\`\`\n\nDone.`, renderers))
    await idle()
    const after = [...container.querySelectorAll('[data-token]')]
    expect(after).toHaveLength(80)
    expect(after.slice(0, 40).every((element, at) => element === before[at])).toBe(true)
  })

  it('is read from its beginning when another text takes its place', async () => {
    const tokenizer = spyTokenizer()
    const renderers = highlightedBy(tokenizer)
    const { container, rerender } = render(answer(fence(['a 1', 'b 2']), renderers))
    await idle()
    rerender(answer(fence(['a 7', 'b 2']), renderers))
    expect(container.querySelector('code')?.textContent).toBe('a 7\nb 2')
    await idle()
    expect(painted(container)).toEqual(['7', '2'])
    expect(tokenizer.lines).toEqual(['a 1', 'b 2', 'a 7', 'b 2'])
    expect(tokenizer.states.map((state) => state === undefined)).toEqual([true, false, true, false])
  })
})

describe('a page with much code', () => {
  it('is left alone again after a few milliseconds', async () => {
    const tokenizer = spyTokenizer()
    const slow: LineTokenizer = {
      tokenize(line, state) {
        spent += 1
        return tokenizer.tokenize(line, state)
      },
    }
    let spent = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => spent)
    render(answer(fence(Array.from({ length: 30 }, () => '1')).repeat(2), highlightedBy(slow)))
    await act(async () => {
      await vi.advanceTimersByTimeAsync(0)
    })
    await act(async () => {
      await vi.advanceTimersToNextTimerAsync()
    })
    const slices: number[] = []
    while (vi.getTimerCount() > 0) {
      const before = tokenizer.lines.length
      await act(async () => {
        await vi.advanceTimersToNextTimerAsync()
      })
      slices.push(tokenizer.lines.length - before)
    }
    clock.mockRestore()
    expect(tokenizer.lines).toHaveLength(60)
    expect(slices.length).toBeGreaterThan(5)
    expect(Math.max(...slices)).toBeLessThanOrEqual(8)
  })

  it('stays plain from line 2,001 on, and from a line of more than 2,000 letters on', async () => {
    const tokenizer = spyTokenizer()
    const many = render(answer(fence(Array.from({ length: 2100 }, () => '1')), highlightedBy(tokenizer)))
    await idle()
    expect(painted(many.container)).toHaveLength(2000)
    expect(many.container.querySelector('code')?.textContent).toHaveLength(4199)
    const long = render(answer(fence(['1', 'x'.repeat(2001), '2']), highlightedBy(tokenizer)))
    await idle()
    expect(painted(long.container)).toEqual(['1'])
    expect(tokenizer.lines).toHaveLength(2001)
  })

  it('stops when the block is taken away', async () => {
    const tokenizer = spyTokenizer()
    const { unmount } = render(answer(fence(['1', '2']), highlightedBy(tokenizer)))
    unmount()
    await idle()
    expect(tokenizer.lines).toEqual([])
  })
})

describe('what is not there', () => {
  it.each(['klingon', 'constructor', '__proto__', ''])('is not asked for, in the language %j', async (language) => {
    const load = vi.fn(() => Promise.resolve(() => spyTokenizer()))
    const { container } = render(answer(fence(['a 1'], language), highlightedBy(spyTokenizer(), { load })))
    await idle()
    expect(load).not.toHaveBeenCalled()
    expect(container.querySelector('code')?.textContent).toBe('a 1')
  })

  it('leaves the block plain, and is asked for again by the next one', async () => {
    const load = vi.fn(() => Promise.reject(new Error('offline')))
    const renderers = highlightedBy(spyTokenizer(), { load })
    const { container, rerender } = render(answer('```words\na 1\n', renderers, true))
    await idle()
    rerender(answer('```words\na 1\nb 2\n', renderers, true))
    await idle()
    expect(load).toHaveBeenCalledTimes(1)
    expect(container.querySelector('code')?.textContent).toContain('a 1\nb 2')
    expect(painted(container)).toEqual([])
    render(answer(fence(['a 1']), renderers))
    await idle()
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('leaves the block plain from the line on which a tokenizer throws', async () => {
    const spy = spyTokenizer()
    const tokenize: LineTokenizer['tokenize'] = (line, state) => {
      if (line.startsWith('b')) throw new Error('unreadable')
      return spy.tokenize(line, state)
    }
    const { container } = render(answer(fence(['a 1', 'b 2', 'c 3']), highlightedBy({ tokenize })))
    await idle()
    expect(painted(container)).toEqual(['1'])
    expect(spy.lines).toEqual(['a 1'])
  })

  it('is fetched once for many blocks', async () => {
    const load = vi.fn(() => Promise.resolve(() => spyTokenizer()))
    render(answer(fence(['1']).repeat(5), highlightedBy(spyTokenizer(), { load })))
    await idle()
    expect(load).toHaveBeenCalledTimes(1)
  })
})
