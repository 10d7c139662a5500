// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createHighlightedCode } from '../../../src/components/highlight/highlighted-code.tsx'
import { MarkdownProvider } from '../../../src/components/markdown-block/markdown-block.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import type { CodeRendererProps } from '../../../src/markdown.ts'
import type { MessagePart } from '../../../src/state/turn.ts'
import { forbiddenIn } from '../../conformance/allowed-html.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

/** Texts with a gap between each two: the first lacks one packet, the second two, and so on. */
const withGaps = (...texts: readonly string[]): MessagePart[] =>
  texts.flatMap((words, at): MessagePart[] => [
    ...(at === 0 ? [] : [{ type: 'gap', id: `g-${at}`, after: 10 * at, before: 11 * at + 1 } as const]),
    ...(words === '' ? [] : [text(words, `t-${at}`)]),
  ])

function shown(
  parts: readonly MessagePart[],
  around: (message: ReactNode) => ReactNode = (message) => message,
): HTMLElement {
  show(createFakeChat({ messages: [answer('a', parts)] }), around(<Message messageId="a" />))
  const prose = document.querySelector<HTMLElement>('.cs-prose')
  if (!prose) throw new Error('There is no text.')
  return prose
}

const MARK = 'Part of the response is missing'

describe('an answer with a hole in it', () => {
  it('continues in the code it was in, which is copied unchanged', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    const prose = shown(withGaps('Look:\n\n```js\nconst a = 1\nconst b', ' = 2\nreturn a\n```\n\nThat is **all**.'))
    const code = prose.querySelector('code')
    expect(code?.textContent).toBe(`const a = 1\nconst b${MARK} = 2\nreturn a`)
    expect(within(code!).getByRole('button', { name: MARK })).toBeTruthy()
    expect(prose.querySelectorAll('pre')).toHaveLength(1)
    expect(prose.querySelector('strong')?.textContent).toBe('all')
    await act(async () => fireEvent.click(within(prose).getByRole('button', { name: 'Copy' })))
    expect(writeText).toHaveBeenCalledWith('const a = 1\nconst b = 2\nreturn a')
    Reflect.deleteProperty(navigator, 'clipboard')
  })

  it.each([
    ['list', '- one\n- tw', 'o\n- three', 'ul > li:nth-child(2)', `tw${MARK}o`],
    ['list, behind a line', '- one\n', '- two', 'ul > li:first-child', `one\n${MARK}`],
    ['numbered list', '1. one\n', '3. three', 'ol > li:nth-child(2)', 'three'],
    [
      'table cell',
      '| a | b |\n|---|---|\n| c | d',
      ' e |\n| f | g |',
      'tbody tr:first-child td:last-child',
      `d${MARK} e`,
    ],
    ['table, behind a row', '| a | b |\n|---|---|\n| c | d |\n', '| f | g |', 'tbody tr:nth-child(3)', 'fg'],
    ['heading', '# River ', 'bends\n\nText', 'h2', `River ${MARK}bends`],
    ['quote', '> said\n> wh', 'at', 'blockquote p', `said\nwh${MARK}at`],
    ['words in bold', 'It is **ve', 'ry** wide', 'strong', `ve${MARK}ry`],
    ['code in a line', 'Call `ben', 'd()` now', 'p > code', `ben${MARK}d()`],
    ['a tag', 'Write <b', 'r> there', 'p', `Write <b${MARK}r> there`],
  ])('continues in its %s', (_, before, after, where, words) => {
    const prose = shown(withGaps(before, after))
    expect(prose.querySelector(where)?.textContent).toBe(words)
    expect(within(prose).getAllByRole('button', { name: MARK })).toHaveLength(1)
  })

  it('begins a new line behind it where only a line begins so: code is closed, a list is a list', () => {
    const prose = shown(withGaps('```js\nconst a', '```\n\nDone', '## Next', '- one', '\n\n- two\n', '---\n\nEnd'))
    expect(prose.querySelector('code')?.textContent).toBe(`const a${MARK}`)
    expect([...prose.querySelectorAll('p')].map(({ textContent }) => textContent)).toContain('End')
    fireEvent.click(within(prose.querySelector('h2')!).getByRole('button', { name: MARK }))
    expect([...prose.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual([
      `Next${MARK}, packets 31–33`,
    ])
    expect(prose.querySelectorAll('hr')).toHaveLength(1)
  })

  it.each([
    ['a bare address', 'See https://bank.exa', 'mple.com/x now', `See https://bank.exa${MARK}mple.com/x now`],
    [
      'the path of a bare address',
      'See https://bank.example/a',
      'mple now',
      `See https://bank.example/a${MARK}mple now`,
    ],
    ['an address in brackets', 'See [it](https://exa', 'mple.com/x) now', null],
    ['an address in pointed brackets', 'See <https://exa', 'mple.com/x> now', `See <https://exa${MARK}mple.com/x> now`],
    ['a picture', 'See ![it](https://exa', 'mple.com/x) now', null],
  ])('makes no link of half of %s', (_, before, after, words) => {
    const prose = shown(withGaps(before, after))
    // What is before the hole in brackets is a bare address, up to it.
    expect(
      prose.querySelectorAll('[href*="mple.com"], [href*="%"], [href$="ample/a"], img, .cs-md-image'),
    ).toHaveLength(0)
    if (words !== null) expect(prose.textContent).toBe(words)
    expect(within(prose).getAllByRole('button', { name: MARK })).toHaveLength(1)
  })

  it('says so in the words of a link, where nothing else can be pressed', () => {
    const prose = shown(withGaps('See [the sur', 'vey](https://example.com/) now'))
    expect(prose.querySelector('a')?.textContent).toBe(`the sur${MARK}vey`)
    expect(prose.querySelector('a button')).toBeNull()
  })

  it.each([
    ['the name of a language', '```ja', 'va\nx = 1\n```'],
    ['a title', '[a](https://a.example "ti', 'tle")'],
    ['the words of a picture', '![a ri', 'ver](https://a.example/p.png)'],
    ['a definition', 'Words\n\n[a]: https://a.example "ti', 'tle"'],
    ['a note that nobody names', 'Words\n\n[^a]: no', 'te'],
    ['a cell too many', '| a |\n|---|\n| b | c', ' d |'],
  ])('says so behind the text where the hole is in %s', (_, before, after) => {
    const prose = shown(withGaps(before, after))
    expect(within(prose).getAllByRole('button', { name: MARK })).toHaveLength(1)
    expect(forbiddenIn(prose.innerHTML.replace(/ aria-expanded="false"| data-name="cut"/g, ''))).toEqual([])
  })

  it('cannot be made to look so by the agent', () => {
    const prose = shown(withGaps('a\u000Eb\u000F', 'c\u000Ed `\u0010` e'))
    expect(prose.textContent).toBe(`ab${MARK}cd  e`.replace('  ', ' `` '))
    expect(within(prose).getAllByRole('button')).toHaveLength(1)
  })

  it('has a mark for each of many holes, with its own numbers', () => {
    const prose = shown(withGaps(...Array.from({ length: 31 }, (_, at) => `w${at} `)))
    const marks = within(prose).getAllByRole('button')
    for (const mark of marks) fireEvent.click(mark)
    const numbers = Array.from({ length: 30 }, (_, at) => [10 * (at + 1) + 1, 11 * (at + 1)] as const)
    expect(marks.map(({ textContent }) => textContent)).toEqual(
      numbers.map(([first, last]) => `${MARK}, ${first === last ? `packet ${first}` : `packets ${first}–${last}`}`),
    )
    expect(prose.textContent.match(/w\d+/g)).toHaveLength(31)
    expect(prose.textContent).toMatch(/^[\P{Cc}\n]*$/u)
  })

  it('is what the agent wrote where no markdown is wanted', () => {
    const prose = shown(withGaps('```js\nconst \u000E', 'a\n```'), (message) => (
      <MarkdownProvider engine="off">{message}</MarkdownProvider>
    ))
    expect(prose.textContent).toBe(`\`\`\`js\nconst \u000E${MARK}a\n\`\`\``)
  })

  it('is two texts around a part that the app shows itself', () => {
    show(
      createFakeChat({ messages: [answer('a', withGaps('```js\nconst', ' **b** [', ' c'))] }),
      <Message messageId="a" renderPart={(part) => (part.id === 'g-1' ? <p>Mine</p> : undefined)} />,
    )
    const prose = document.querySelector('.cs-prose')
    expect(prose?.querySelector('code')?.textContent).toBe('const')
    expect(prose?.querySelector('strong')?.textContent).toBe('b')
    fireEvent.click(screen.getByRole('button', { name: MARK }))
    expect(screen.getByRole('button', { name: `${MARK}, packets 21–22` })).toBeTruthy()
    expect(prose?.querySelectorAll('.cs-md')).toHaveLength(2)
  })

  it('keeps its elements while it continues', () => {
    const chat = createFakeChat({ messages: [answer('a', withGaps('- one\n\n```js\nlet a'), { status: 'streaming' })] })
    show(chat, <Message messageId="a" />)
    const code = document.querySelector('code')
    const item = document.querySelector('li')
    act(() => chat.change('a', { parts: withGaps('- one\n\n```js\nlet a', '') }))
    expect(code?.lastElementChild?.className).toBe('cs-caret')
    expect(within(code!).getByRole('button', { name: MARK })).toBeTruthy()
    act(() => chat.change('a', { parts: withGaps('- one\n\n```js\nlet a', ' = 1\nlet b') }))
    expect(document.querySelector('code')).toBe(code)
    expect(document.querySelector('li')).toBe(item)
    const mark = within(code!).getByRole('button', { name: MARK })
    fireEvent.click(mark)
    act(() => chat.change('a', { parts: withGaps('- one\n\n```js\nlet a', ' = 1\nlet b = 2\n```\n\nDone') }))
    expect(code?.textContent).toBe(`let a${MARK}, packet 11 = 1\nlet b = 2`)
    expect(within(code!).getByRole('button')).toBe(mark)
  })
})

describe('code with a hole in it, shown by', () => {
  const parts = withGaps('```words\na 1\nb ', '2\nc 3\n```\n')

  it('a component of the app: its lines are words only, and the mark is behind them', () => {
    const lines: string[] = []
    function Own({ lines: chunks }: CodeRendererProps): ReactNode {
      const said = chunks.flatMap(({ items }) => items.map((line) => line.text)).join('\n')
      lines.push(said)
      return <pre>{said}</pre>
    }
    const renderers = { code: Own }
    const prose = shown(parts, (message) => <MarkdownProvider renderers={renderers}>{message}</MarkdownProvider>)
    expect(lines).toEqual(['a 1\nb 2\nc 3'])
    expect(prose.querySelector('pre + button')?.textContent).toBe(MARK)
  })

  it('the highlighter: the mark is in the line, plain and in colour', async () => {
    vi.useFakeTimers()
    try {
      const tokenize = (line: string) => ({
        tokens: line
          .split(/(\d+)/)
          .map((piece) => ({ text: piece, kind: /\d/.test(piece) ? ('number' as const) : ('name' as const) })),
        state: 1,
      })
      const code = createHighlightedCode({
        languages: { words: () => Promise.resolve({ default: [{}] }) },
        load: () => Promise.resolve(() => ({ tokenize })),
      })
      const renderers = { code }
      const prose = shown(parts, (message) => <MarkdownProvider renderers={renderers}>{message}</MarkdownProvider>)
      expect(prose.querySelector('code')?.textContent).toBe(`a 1\nb ${MARK}2\nc 3`)
      await act(async () => {
        await vi.runAllTimersAsync()
      })
      expect([...prose.querySelectorAll('[data-token="number"]')].map(({ textContent }) => textContent)).toEqual([
        '1',
        '2',
        '3',
      ])
      expect(prose.querySelector('code')?.textContent).toBe(`a 1\nb ${MARK}2\nc 3`)
    } finally {
      vi.useRealTimers()
    }
  })
})
