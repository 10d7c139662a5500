import { act } from 'react'
import { beforeEach, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Chat } from '../../src/components/chat.tsx'
import { CitationBlock } from '../../src/components/citation-block/citation-block.tsx'
import { defaultStrings } from '../../src/strings/dictionary.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import {
  box,
  card,
  cited,
  focus,
  isOpen,
  mark,
  openCards,
  panel,
  prose,
  rivers,
  showAnswer,
  source,
  WORDS,
} from './cited-answer.tsx'

const [RIVER_1, RIVER_2] = ['Source 1: River 1', 'Source 2: River 2']

beforeEach(async () => {
  await page.viewport(1280, 800)
  // Where no test has a mark: the pointer stays where the test before left it.
  await userEvent.hover(document.body, { position: { x: 0, y: 0 } })
})

describe('a reader of chips', () => {
  const ORIGIN = 'https://a-host-of-many-letters.bank-com.and-many-more-letters.evil.test/x'

  it('sees the whole host of each, and no title, which could read like another host', async () => {
    const { container } = await render(
      <CitationBlock
        compact
        citations={[
          { sourceId: '1', uri: ORIGIN, title: 'bank.com' },
          { sourceId: '2', uri: 'https://rivers.example/2', title: 'Rivers' },
          { sourceId: '3', uri: 'urn:bank', title: 'bank.com' },
        ]}
      />,
    )
    const hosts = [...container.querySelectorAll<HTMLElement>('.cs-source-host')]
    expect(hosts.map(({ textContent }) => textContent)).toEqual([
      new URL(ORIGIN).host,
      'rivers.example',
      `urn:bank (${defaultStrings.citations.unsafe})`,
    ])
    expect(hosts.map((host) => host.checkVisibility())).toEqual([true, true, true])
    for (const title of container.querySelectorAll('.cs-source-title'))
      expect(getComputedStyle(title).clipPath).toBe('inset(50%)')
    await expect.element(page.getByRole('link', { name: /^Source 2: Rivers/ })).toBeInTheDocument()
    const [first] = hosts
    const [host, chip] = [
      first?.querySelector('bdi')?.getBoundingClientRect(),
      first?.closest('li')?.getBoundingClientRect(),
    ]
    if (!host || !chip) throw new Error('There is no chip with a host.')
    expect([
      host.left >= chip.left,
      host.top >= chip.top,
      host.right <= chip.right,
      host.bottom <= chip.bottom,
    ]).toEqual([true, true, true, true])
  })
})

describe('a reader with a mouse', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const pass = (ms: number): void =>
    act(() => {
      vi.advanceTimersByTime(ms)
    })

  it('sees the card of a source after 300 ms on its mark, and not in passing', async () => {
    await showAnswer()
    await userEvent.hover(mark(2))
    pass(299)
    expect(openCards()).toEqual([])
    await userEvent.hover(box())
    pass(1000)
    expect(openCards()).toEqual([])
    await userEvent.hover(mark(2))
    pass(300)
    expect(openCards()).toEqual([RIVER_2])
    expect(document.activeElement).toBe(document.body)
  })

  it('keeps the card while the pointer goes over to it, and loses it a moment after leaving', async () => {
    await showAnswer()
    await userEvent.hover(mark(2))
    pass(300)
    await userEvent.hover(await card())
    pass(1000)
    expect(openCards()).toEqual([RIVER_2])
    await userEvent.hover(box())
    pass(149)
    expect(openCards()).toEqual([RIVER_2])
    pass(1)
    expect(openCards()).toEqual([])
  })

  it('keeps the card that a press asked for, until the next press elsewhere', async () => {
    await showAnswer()
    await userEvent.click(mark(2))
    expect(openCards()).toEqual([RIVER_2])
    await userEvent.click(mark(2))
    await userEvent.hover(box())
    pass(1000)
    expect(openCards()).toEqual([RIVER_2])
    await userEvent.click(await card(), { position: { x: 40, y: 60 } })
    expect(openCards()).toEqual([RIVER_2])
    await userEvent.click(prose(), { position: { x: 5, y: 5 } })
    expect(openCards()).toEqual([])
  })

  it('does not see the card again that was closed before the 300 ms of its hover had ended', async () => {
    await showAnswer()
    await userEvent.click(mark(1))
    await userEvent.click(page.getByRole('button', { name: 'Show in sources' }))
    pass(1000)
    expect(openCards()).toEqual([])
    await userEvent.click(mark(2))
    await userEvent.keyboard('{Escape}')
    pass(1000)
    expect(openCards()).toEqual([])
  })

  it('sees one card at a time', async () => {
    await showAnswer()
    await userEvent.click(mark(2))
    await userEvent.hover(mark(1))
    pass(300)
    expect(openCards()).toEqual([RIVER_1])
  })

  it('is left alone by marks that come to be under a resting mouse', async () => {
    await showAnswer()
    await userEvent.hover(mark(1))
    onTestFinished(() => document.body.removeAttribute('style'))
    document.body.style.paddingTop = '100px'
    await expect.poll(() => mark(1).matches(':hover')).toBe(false)
    pass(1000)
    document.body.style.paddingTop = '0'
    await expect.poll(() => mark(1).matches(':hover')).toBe(true)
    pass(1000)
    expect(openCards()).toEqual([])
    await userEvent.hover(mark(1), { position: { x: 3, y: 3 } })
    pass(300)
    expect(openCards()).toEqual([RIVER_1])
  })

  it('closes it with Escape while writing, and stops the answer only with the next one', async () => {
    const chat = await showAnswer(cited(WORDS), { status: 'streaming' })
    await userEvent.click(box())
    await userEvent.hover(mark(2))
    pass(300)
    expect(openCards()).toEqual([RIVER_2])
    await userEvent.keyboard('{Escape}')
    expect(openCards()).toEqual([])
    expect(document.activeElement).toBe(box())
    expect(chat.used).toEqual([])
    await userEvent.keyboard('{Escape}')
    expect(chat.used).toEqual([['stop']])
  })

  it('sees the source of the mark marked in the list, and the marks of a source in the text', async () => {
    await showAnswer()
    const row = source(1).parentElement
    await userEvent.hover(mark(1))
    pass(300)
    expect(row?.dataset['active']).toBe('')
    await userEvent.hover(box())
    pass(150)
    expect(row?.dataset['active']).toBeUndefined()
    await userEvent.hover(source(1))
    expect([mark(1), mark(1, 1), mark(2)].map(({ dataset }) => dataset['active'])).toEqual(['', '', undefined])
  })
})

describe('a reader with a keyboard', () => {
  it('walks from a mark into its card, through it and on to the next mark', async () => {
    await showAnswer()
    await userEvent.tab()
    expect(document.activeElement).toBe(mark(1))
    expect(openCards()).toEqual([RIVER_1])
    const walked: (string | null | undefined)[] = []
    for (let step = 0; step < 3; step++) {
      await card()
      await userEvent.tab()
      walked.push(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
    }
    expect(walked).toEqual(['Show in sources', 'Open sourceopens in a new tab', RIVER_2])
    expect(openCards()).toEqual([RIVER_2])
    await userEvent.tab({ shift: true })
    // The card went when the focus left it: back is the mark, not its card.
    expect(document.activeElement).toBe(mark(1))
    expect(openCards()).toEqual([RIVER_1])
  })

  it('leaves the card behind when it continues to something else', async () => {
    await showAnswer(cited('So it wears back.[1]', 1))
    focus(mark(1))
    for (let step = 0; step < 3; step++) {
      await card()
      await userEvent.tab()
    }
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Back to citation 1 in text')
    expect(openCards()).toEqual([])
  })

  it('closes the card with Escape and is at the mark again, and the answer continues', async () => {
    const chat = await showAnswer(cited(WORDS), { status: 'streaming' })
    const host = vi.fn()
    const hear = ({ key }: KeyboardEvent): unknown => key === 'Escape' && host()
    document.addEventListener('keydown', hear)
    onTestFinished(() => document.removeEventListener('keydown', hear))
    focus(mark(2))
    await card()
    await userEvent.tab()
    expect((await card()).contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Escape}')
    expect(openCards()).toEqual([])
    expect(document.activeElement).toBe(mark(2))
    expect(host).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(host).toHaveBeenCalledOnce()
    expect(chat.used).toEqual([])
  })

  it('goes with Enter from the mark to its source, and with its number back to each mark in turn', async () => {
    await showAnswer()
    focus(mark(1))
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(source(1))
    expect(openCards()).toEqual([])
    for (const nth of [0, 1, 0]) {
      focus(source(1))
      await userEvent.tab({ shift: true })
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Back to citation 1 in text')
      await userEvent.keyboard('{Enter}')
      expect(document.activeElement).toBe(mark(1, nth))
    }
  })

  it('does so while the answer is still a row of chips', async () => {
    await showAnswer(cited(WORDS), { status: 'streaming' })
    focus(mark(2))
    await userEvent.keyboard(' ')
    expect(document.activeElement).toBe(source(2))
  })

  it('finds no way back from a source that nothing cites', async () => {
    await showAnswer()
    expect(page.getByRole('button', { name: /Back to citation/ }).elements()).toHaveLength(3)
    expect(source(4).previousElementSibling?.tagName).toBe('SPAN')
  })

  it('finds a source beyond the list in the panel, and is back at the mark when it closes', async () => {
    await showAnswer(cited('Far away.[9] Near.[2]', 9))
    focus(mark(9))
    await userEvent.keyboard('{Enter}')
    expect(isOpen(panel())).toBe(true)
    expect(document.activeElement?.textContent).toContain('Source 9: River 9')
    expect(panel().contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Escape}')
    expect(isOpen(panel())).toBe(false)
    expect(document.activeElement).toBe(mark(9))
  })

  it('goes from the panel back to the text', async () => {
    await showAnswer(cited('Far away.[9] Near.[2]', 9))
    await userEvent.click(page.getByRole('button', { name: 'Show all 9' }))
    expect(isOpen(panel())).toBe(true)
    const back = panel().querySelector<HTMLElement>('[aria-label="Back to citation 2 in text"]')
    if (back) focus(back)
    await userEvent.keyboard('{Enter}')
    expect(isOpen(panel())).toBe(false)
    expect(document.activeElement).toBe(mark(2))
  })
})

describe('the card', () => {
  it('is below its mark, its start edge 24 px before it, and no box around clips it', async () => {
    await showAnswer(cited('So the outside wears back.[1]', 1))
    focus(mark(1))
    const shown = (await card()).getBoundingClientRect()
    const at = mark(1).getBoundingClientRect()
    expect(shown.top - at.bottom).toBeCloseTo(8, 0)
    expect(at.left - shown.left).toBeCloseTo(24, 0)
    expect(shown.width).toBe(336)
    const corner = document.elementFromPoint(shown.right - 20, shown.bottom - 20)
    expect((await card()).contains(corner)).toBe(true)
  })

  it('turns upwards where there is no space below', async () => {
    await showAnswer(cited('So the outside wears back.[1]', 1), { top: 720 })
    focus(mark(1))
    const shown = (await card()).getBoundingClientRect()
    expect(mark(1).getBoundingClientRect().top - shown.bottom).toBeCloseTo(8, 0)
    expect(shown.top).toBeGreaterThan(0)
  })

  it.each<[string, string, Parameters<typeof showAnswer>[1]]>([
    ['the end', 'It does wear back.[1]', { start: 1080 }],
    ['the start', '[1]', {}],
    ['the end of a page that runs right to left', 'It does wear back.[1]', { start: 1080, dir: 'rtl' }],
    ['the corner', 'It does wear back.[1]', { start: 1080, top: 720 }],
  ])('stays in the page at %s', async (_where, words, options) => {
    await showAnswer(cited(words, 1), options)
    focus(mark(1))
    const { left, right, top, bottom } = (await card()).getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(8)
    expect(right).toBeLessThanOrEqual(document.documentElement.clientWidth - 8)
    expect(top).toBeGreaterThan(0)
    expect(bottom).toBeLessThanOrEqual(innerHeight)
  })

  it('is mirrored where text runs right to left', async () => {
    await showAnswer(cited('لا توجد ضفة مستوية تماما.[1]', 1), { dir: 'rtl' })
    focus(mark(1))
    const shown = (await card()).getBoundingClientRect()
    expect(shown.right - mark(1).getBoundingClientRect().right).toBeCloseTo(24, 0)
  })

  it('goes along when the page scrolls', async () => {
    await showAnswer(cited('So the outside wears back.[1]', 1), { top: 400 })
    document.body.append(Object.assign(document.createElement('div'), { className: 'tall' }))
    document.querySelector<HTMLElement>('.tall')?.style.setProperty('height', '3000px')
    focus(mark(1))
    await card()
    scrollTo({ top: 200, behavior: 'instant' })
    // The browser moves it with the frame it paints next.
    await expect
      .poll(async () => (await card()).getBoundingClientRect().top - mark(1).getBoundingClientRect().bottom)
      .toBeCloseTo(8, 0)
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector('.tall')?.remove()
  })

  it('stays, with the focus in it, while the answer continues', async () => {
    const chat = await showAnswer(cited(WORDS), { status: 'streaming' })
    focus(mark(2))
    await card()
    await userEvent.tab()
    const [open, held, button] = [await card(), document.activeElement, mark(2)]
    for (let more = 1; more < 30; more++)
      act(() =>
        chat.change('a', {
          parts: [text(`${WORDS}${' More.[3]\n'.repeat(more)}`), { type: 'citations', id: 'c', citations: rivers(4) }],
        }),
      )
    expect(await card()).toBe(open)
    expect(document.activeElement).toBe(held)
    expect(mark(2)).toBe(button)
  })
})

describe('the panel of all sources', () => {
  it.each([
    [1280, 'ltr'],
    [1280, 'rtl'],
    [980, 'ltr'],
  ] as const)('in a page of %i px that runs %s is beside the text and lies over none of it', async (width, dir) => {
    await page.viewport(width, 800)
    const chat = createFakeChat({
      messages: [
        said('q', 'Why do they? '.repeat(30)),
        answer('a', cited(`${'So it goes on and on. '.repeat(40)}[9]`, 9)),
      ],
    })
    await render(
      <div dir={dir}>
        <Chat chat={chat} title="Rivers" ref={(element) => element?.style.setProperty('block-size', '800px')} />
      </div>,
    )
    const shown = '.cs-header-title, .cs-bubble, .cs-prose, .cs-composer'
    const over = (): number => {
      const { left, right } = panel().getBoundingClientRect()
      return [...document.querySelectorAll(shown)].filter(
        (part) => part.getBoundingClientRect().left < right && part.getBoundingClientRect().right > left,
      ).length
    }
    await userEvent.click(page.getByRole('button', { name: 'Show all 9' }))
    expect(isOpen(panel())).toBe(true)
    expect(panel().getBoundingClientRect().width).toBe(360)
    expect(document.querySelectorAll(shown).length).toBeGreaterThan(3)
    expect(over()).toBe(0)
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => page.getByRole('textbox').element().getBoundingClientRect().width).toBeGreaterThan(600)
  })

  it('gives the space back when its message is gone while it is open', async () => {
    await page.viewport(1280, 800)
    const chat = createFakeChat({ messages: [answer('a', cited(`${'So it goes on. '.repeat(9)}[9]`, 9))] })
    await render(<Chat chat={chat} />)
    const frame = panel().closest<HTMLElement>('.cs-chat')
    panel().showPopover()
    await expect.poll(() => frame?.dataset['sources']).toBe('')
    act(() => chat.set({ messages: [] }))
    await expect.poll(() => frame?.dataset['sources']).toBeUndefined()
  })

  it('takes no space from a chat that is a small part of the page', async () => {
    const chat = createFakeChat({ messages: [answer('a', cited(`${'So it goes on and on. '.repeat(40)}[9]`, 9))] })
    await render(
      <div ref={(element) => element?.style.setProperty('inline-size', '500px')}>
        <Chat chat={chat} />
      </div>,
    )
    const { width } = prose().getBoundingClientRect()
    panel().showPopover()
    expect(prose().getBoundingClientRect().width).toBe(width)
  })
})
