import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../src/components/markdown-block/rich-text-engine.tsx'
import { Message } from '../../src/components/message/message.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { MarkdownRenderers } from '../../src/markdown.ts'
import { answer, createFakeChat, text } from '../components/fake-chat.ts'

const DELTAS = 4000

/** One part of a long answer: every kind of block, with its own word in each. */
const section = (at: number): string => `## Bend ${at}

Where the current brushes one side *a little* harder, **that bank** wears back, and \`water ${at}\` swings across. See [the survey](https://example.org/${at}).

- The outer bank moves outward
- The inner one grows
  1. a beach
  2. a meadow ~~soon~~ later

\`\`\`js
const bend${at} = width * 12 // from one bend to the next, for brooks and for great rivers alike, whatever their size may be

return bend${at}
\`\`\`

| Stretch | Width | Speed of the water in the middle of the stream |
| :--- | ---: | :---: |
| upper ${at} | 8 m | 0.6 m/s |
| lower ${at} | 74 m | 0.8 m/s |

> The maps were not wrong.
>
> - [x] looked ${at}
> - [ ] walked ${at}

---

`
const sections = (count: number): string => Array.from({ length: count }, (_, at) => section(at)).join('')
const NOTED = 'A bend has a name.[^name]\n\nAnd that is all.\n\n[^name]: From a river in *Anatolia*.'

interface Shown {
  readonly root: HTMLElement
  /** What the agent has said so far; `live`: more may come. */
  say(words: string, live?: boolean): void
}

async function show(
  words: string,
  { renderers, width = 688 }: { readonly renderers?: MarkdownRenderers; readonly width?: number } = {},
): Promise<Shown> {
  const chat = createFakeChat({ messages: [answer('a', [text(words)], { status: 'streaming' })], status: 'streaming' })
  const { container } = await render(
    <ChatContext.Provider value={chat}>
      <MarkdownProvider engine={markdownEngine} renderers={renderers}>
        <div ref={(box) => box?.style.setProperty('width', `${width}px`)}>
          <Message messageId="a" />
        </div>
      </MarkdownProvider>
    </ChatContext.Provider>,
  )
  return {
    get root() {
      return find('.cs-md', container)
    },
    say: (more, live = true) =>
      flushSync(() => chat.change('a', { parts: [text(more)], status: live ? 'streaming' : 'complete' })),
  }
}

function find(selector: string, within: ParentNode = document): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`There is no ${selector}.`)
  return found
}

beforeEach(async () => {
  await page.viewport(1280, 800)
})

/** They are in boxes of some dozens each. */
const blocksOf = (root: Element): Element[] => [...root.querySelectorAll(':scope > .cs-md-run > *')]

describe('an answer of 10 KB in small deltas', () => {
  it('leaves every block that another one follows as it is: the same element, the same words, the same place', async () => {
    const whole = sections(18)
    expect(whole.length).toBeGreaterThan(10_000)
    const shown = await show('')
    const settled = new Map<Element, { readonly said: string; readonly place: string }>()
    const wrong = new Set<string>()
    const placeOf = (block: Element): string => {
      const { top, left, width, height } = block.getBoundingClientRect()
      return [top + scrollY, left, width, height].join()
    }
    for (let length = 0; length < whole.length + 9; length += 9) {
      shown.say(whole.slice(0, length))
      const blocks = blocksOf(shown.root).slice(0, -1)
      for (const [block, { said, place }] of settled) {
        if (!blocks.includes(block)) wrong.add(`gone: ${said}`)
        else if (block.textContent !== said) wrong.add(`"${said}" became "${block.textContent}"`)
        else if (placeOf(block) !== place) wrong.add(`moved: ${said}`)
      }
      for (const block of blocks)
        if (!settled.has(block)) settled.set(block, { said: block.textContent, place: placeOf(block) })
    }
    expect([...wrong]).toEqual([])
    expect(settled.size).toBe(18 * 7 - 1)
  })

  it('shows as one text the content of boxes: the same space between all blocks', async () => {
    const shown = await show(Array.from({ length: 300 }, (_, at) => `Paragraph ${at}.`).join('\n\n'))
    expect(shown.root.querySelectorAll(':scope > .cs-md-run').length).toBeGreaterThan(2)
    const edges = blocksOf(shown.root).map((block) => block.getBoundingClientRect())
    const gaps = new Set(edges.slice(1).map(({ top }, at) => (top - (edges[at]?.bottom ?? 0)).toFixed(2)))
    expect([...gaps]).toEqual(['14.00'])
    expect(edges[0]?.top).toBe(shown.root.getBoundingClientRect().top)
  })

  it('is in boxes of at most 128 blocks, which a browser lays out and paints each for itself', async () => {
    const shown = await show(
      `${Array.from({ length: 300 }, (_, at) => `Paragraph ${at}[^${at}].\n\n[^${at}]: Note.`).join('\n\n')}\n\n| a |\n|---|\n| b |`,
    )
    const boxes = [...shown.root.children]
    expect(boxes.map(({ className }) => className)).toEqual(['cs-md-run', 'cs-md-run', 'cs-md-run', 'cs-md-notes'])
    expect(boxes.slice(0, -1).map(({ childElementCount }) => childElementCount)).toEqual([128, 128, 45])
    expect(boxes.map((box) => getComputedStyle(box).contain)).toEqual(boxes.map(() => 'content'))
  })

  it('renders no block again that another one follows, in 4,000 deltas', async () => {
    const paragraphs = Array.from({ length: 80 }, (_, at) => {
      const name = `p${at + 10}`
      return at % 4 === 3
        ? `\`\`\`${name}\n${'line\n'.repeat(10)}\`\`\``
        : `${at % 4 === 2 ? '- ' : ''}${name} ${'and **so** on '.repeat(20)}${name}`
    })
    const whole = paragraphs.join('\n\n')
    const step = Math.ceil(whole.length / DELTAS)
    let known = 0
    let renders = 0
    const late: string[] = []
    const count = (name: string): void => {
      renders += 1
      const [, at] = /p(\d\d)/.exec(name) ?? []
      const next = paragraphs[Number(at) - 9]
      if (next !== undefined && known > whole.indexOf(next) + 8) late.push(`${name} at ${known}`)
    }
    const renderers: MarkdownRenderers = {
      text: function Words({ text: words }): ReactNode {
        count(words)
        return words
      },
      code: function Code({ language, lines }): ReactNode {
        count(language ?? '')
        return <pre>{lines.flatMap(({ items }) => items.map((line) => line.text)).join('\n')}</pre>
      },
    }
    const shown = await show('', { renderers })
    let deltas = 0
    for (; known < whole.length; known += step) {
      deltas += 1
      shown.say(whole.slice(0, known))
    }
    shown.say(whole)
    expect(deltas).toBeGreaterThan(DELTAS * 0.9)
    expect(late).toEqual([])
    expect(blocksOf(shown.root)).toHaveLength(80)
    console.log(
      `${deltas} deltas into markdown, 80 blocks: words and code rendered ${renders} times, ${late.length} of them in settled blocks`,
    )
  })
})

describe('the caret', () => {
  const MANY = sections(1)

  it('is after the last letter wherever the answer grows, and nowhere else', async () => {
    const shown = await show('')
    let looked = 0
    for (let length = 1; length < MANY.length; length += 3) {
      shown.say(MANY.slice(0, length))
      const carets = shown.root.querySelectorAll('.cs-caret')
      // A rule is a line across: nothing is written into it.
      if (shown.root.lastElementChild?.tagName === 'HR') continue
      expect(carets).toHaveLength(1)
      const after = document.createRange()
      after.selectNodeContents(shown.root)
      after.setStartAfter(find('.cs-caret', shown.root))
      expect(after.toString().trim()).toBe('')
      looked += 1
    }
    expect(looked).toBeGreaterThan(150)
  })

  it.each([
    ['a paragraph', 'It bends'],
    ['a list', '- One\n- It bends'],
    ['a list in a list', '- One\n  1. It bends'],
    ['code', '```js\nlet a\nIt bends'],
    ['a quote', '> It bends'],
    ['a heading', '# It bends'],
    ['a table', '| a |\n| - |\n| It bends |'],
    ['bold words', 'Where **It bends'],
  ])('in %s is in the line of that letter', async (_, words) => {
    const shown = await show(words)
    const walker = document.createTreeWalker(shown.root, NodeFilter.SHOW_TEXT, (node) =>
      /bends/.test(node.textContent ?? '') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
    )
    const node = walker.nextNode()
    if (!node) throw new Error('Nothing bends.')
    const letters = document.createRange()
    letters.selectNodeContents(node)
    const [letter, caret] = [letters.getBoundingClientRect(), find('.cs-caret', shown.root).getBoundingClientRect()]
    expect(caret.left).toBeGreaterThanOrEqual(letter.right - 1)
    expect(caret.left - letter.right).toBeLessThan(12)
    expect(caret.bottom).toBeGreaterThan(letter.top)
    expect(caret.top).toBeLessThan(letter.bottom)
    shown.say(words, false)
    expect(shown.root.querySelector('.cs-caret')).toBeNull()
  })
})

describe('code', () => {
  it('is copied as it was written, also while it grows', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const shown = await show('```js\n<b>one</b>\n\n  two')
    await userEvent.click(page.getByRole('button', { name: 'Copy' }).first())
    expect(write).toHaveBeenLastCalledWith('<b>one</b>\n\n  two')
    shown.say('```js\n<b>one</b>\n\n  two\n\tthree\n```\nDone.', false)
    await userEvent.click(find('.cs-code button'))
    expect(write).toHaveBeenLastCalledWith('<b>one</b>\n\n  two\n\tthree')
    expect(find('.cs-code b, .cs-code', shown.root).tagName).toBe('DIV')
    write.mockRestore()
  })
})

describe('frames in a chat of 320 px', () => {
  it.each([
    ['code', '.cs-code pre'],
    ['a table', '.cs-table'],
  ])('around %s take the focus, scroll with the keys, and widen nothing', async (_, selector) => {
    await page.viewport(320, 700)
    const shown = await show(sections(1), { width: 320 })
    shown.say(sections(1), false)
    expect(document.scrollingElement?.scrollWidth).toBe(320)
    expect(shown.root.scrollWidth).toBeLessThanOrEqual(320)
    const frame = find(selector, shown.root)
    expect(frame.scrollWidth).toBeGreaterThan(frame.clientWidth)
    expect(frame.getBoundingClientRect().right).toBeLessThanOrEqual(320)
    for (let step = 0; step < 12 && document.activeElement !== frame; step++) await userEvent.tab()
    expect(document.activeElement).toBe(frame)
    expect(getComputedStyle(frame).outlineStyle).not.toBe('none')
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    await expect.poll(() => frame.scrollLeft).toBeGreaterThan(0)
  })
})

describe('a reader in text that is settled', () => {
  it('keeps the focus and the selection while the answer continues below', async () => {
    const start = `${sections(1)}Then`
    const shown = await show(start)
    const link = find('a', shown.root)
    link.focus()
    const words = find('p', shown.root).firstChild
    if (words) getSelection()?.setBaseAndExtent(words, 0, words, 17)
    expect(getSelection()?.toString()).toBe('Where the current')
    const rest = sections(3).slice(sections(1).length)
    for (let length = 0; length < rest.length; length += 25) shown.say(`${start}\n\n${rest.slice(0, length)}`)
    shown.say(`${start}\n\n${rest}`, false)
    expect(document.activeElement).toBe(link)
    expect(getSelection()?.toString()).toBe('Where the current')
  })

  it('keeps the place in code that was scrolled while more lines come', async () => {
    const shown = await show(`\`\`\`\n${'wide '.repeat(100)}\n`)
    const frame = find('pre', shown.root)
    frame.scrollLeft = 200
    for (let lines = 1; lines < 80; lines++) shown.say(`\`\`\`\n${'wide '.repeat(100)}\n${'line\n'.repeat(lines)}`)
    shown.say(`\`\`\`\n${'wide '.repeat(100)}\n${'line\n'.repeat(80)}\`\`\`\n\nDone.`)
    expect(find('pre', shown.root)).toBe(frame)
    expect(frame.scrollLeft).toBe(200)
  })
})

describe('a footnote', () => {
  it('is reached from its mark with the keyboard, and leads back', async () => {
    const shown = await show(NOTED)
    shown.say(NOTED, false)
    const mark = page.getByRole('button', { name: 'Footnote 1' }).element() as HTMLElement
    await userEvent.tab()
    expect(document.activeElement).toBe(mark)
    await userEvent.keyboard('{Enter}')
    const note = find('[data-note="1"]', shown.root)
    expect(document.activeElement).toBe(note)
    expect(note.textContent).toContain('From a river in Anatolia.')
    await userEvent.tab()
    expect(document.activeElement).toBe(page.getByRole('button', { name: 'Back to the text' }).element())
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(mark)
  })
})

describe('a picture in the text', () => {
  it('is a chip until its reader asks for it, also while the address is still being written', async () => {
    performance.clearResourceTimings()
    const source = 'Look: ![a bend](https://pictures.invalid/bend.png) and on.'
    const shown = await show('')
    for (let length = 1; length <= source.length; length++) {
      shown.say(source.slice(0, length))
      expect(document.querySelector('img')).toBeNull()
    }
    await userEvent.click(page.getByRole('button', { name: 'Load image' }))
    await expect
      .poll(() => performance.getEntriesByType('resource').map(({ name }) => name))
      .toContain('https://pictures.invalid/bend.png')
  })
})
