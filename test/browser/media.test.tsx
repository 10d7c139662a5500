import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Chat } from '../../src/components/chat.tsx'
import { MediaCarousel } from '../../src/components/media-carousel.tsx'
import type { MediaItem } from '../../src/seam/agent-event.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { answer, createFakeChat, said } from '../components/fake-chat.ts'

const svg = (colour: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="90"><rect width="40" height="90" fill="${colour}"/></svg>`)}`
const drawn = (count: number): MediaItem[] =>
  Array.from({ length: count }, (_, at) => ({
    url: svg(`hsl(${at * 40} 50% 50%)`),
    mimeType: 'image/svg+xml',
    alt: `Picture ${at + 1}`,
  }))

const sized = (width: number) => (element: HTMLElement | null) => element?.style.setProperty('width', `${width}px`)
async function show(
  items: readonly MediaItem[],
  width = 688,
  around: (inside: ReactNode) => ReactNode = (inside) => inside,
): Promise<void> {
  await render(<div ref={sized(width)}>{around(<MediaCarousel items={items} />)}</div>)
}

const row = (): HTMLElement => page.getByRole('list', { name: 'Media row' }).element() as HTMLElement
const figures = (): HTMLElement[] => [...row().querySelectorAll('figure')]
const boxes = (): DOMRect[] => figures().map((figure) => (figure.firstElementChild ?? figure).getBoundingClientRect())
const picture = (number: number): HTMLElement =>
  page.getByRole('button', { name: `Picture ${number}` }).element() as HTMLElement
const asked = (host: string): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.includes(host))
async function loaded(): Promise<void> {
  await expect.poll(() => figures().every(({ dataset }) => dataset['state'] === 'loaded')).toBe(true)
}

beforeEach(async () => {
  // A list of 250 and no more: the modules of the page fill it.
  performance.clearResourceTimings()
  await page.viewport(1280, 800)
})

describe('a picture from elsewhere', () => {
  const remote: MediaItem = { url: 'https://pictures.invalid/a.png', mimeType: 'image/png', alt: 'A bend' }

  it('is not asked for before the reader does, by nothing on the page', async () => {
    await show([remote, { ...remote, url: 'https://films.invalid/a.webm', mimeType: 'video/webm' }])
    // A picture that is loaded shows that the browser had the time to ask for the others, too.
    const own = new Image()
    own.src = svg('red')
    await own.decode()
    expect(asked('.invalid')).toEqual([])
    await userEvent.click(page.getByRole('button', { name: /Load image/ }))
    await expect.poll(() => asked('pictures.invalid')).toEqual(['https://pictures.invalid/a.png'])
    expect(asked('films.invalid')).toEqual([])
  })

  it('that fails keeps its box and can be asked for again, and the keyboard stays on it', async () => {
    await show([{ ...remote, url: 'https://gone.invalid/a.png' }])
    const [before] = boxes()
    const button = page.getByRole('button').element()
    await userEvent.tab()
    expect(document.activeElement).toBe(button)
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Couldn’t load')).toBeVisible()
    expect(boxes()[0]).toEqual(before)
    expect(document.activeElement).toBe(button)
    await expect.element(page.getByRole('button', { name: /Retry/ })).toBeVisible()
  })
})

describe('a row of media', () => {
  it('has boxes of one size and shape, whatever is in them, and lets the next one peek', async () => {
    await show([
      ...drawn(2),
      { url: 'https://files.example/a.pdf', mimeType: 'application/pdf' },
      { url: 'no address', mimeType: 'image/png' },
    ])
    const all = boxes()
    for (const { width, height } of all) {
      expect(width).toBe(248)
      expect(height).toBeCloseTo(155, 0)
    }
    const { right } = row().getBoundingClientRect()
    expect(all[2]?.left).toBeLessThan(right)
    expect(all[2]?.right).toBeGreaterThan(right)
  })

  it('never makes the page scroll sideways', async () => {
    await page.viewport(320, 600)
    await show(drawn(6), 300)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    expect(row().scrollWidth).toBeGreaterThan(300)
  })

  it('has arrows that go to its ends and keep the keyboard there', async () => {
    await show(drawn(4), 400)
    const previous = page.getByRole('button', { name: 'Previous' })
    const next = page.getByRole('button', { name: 'Next' })
    await expect.element(previous).toHaveAttribute('aria-disabled', 'true')
    for (let turn = 0; turn < 4 && next.element().getAttribute('aria-disabled') === 'false'; turn += 1) {
      const { scrollLeft } = row()
      await userEvent.click(next)
      await expect.poll(() => row().scrollLeft).not.toBe(scrollLeft)
      await settled()
    }
    await expect.element(next).toHaveAttribute('aria-disabled', 'true')
    expect(document.activeElement).toBe(next.element())
    await expect.element(previous).toHaveAttribute('aria-disabled', 'false')
  })

  it('has no arrows, and is not a stop for the keyboard, when all is in view', async () => {
    await show(drawn(2))
    await loaded()
    expect(page.getByRole('button', { name: 'Next' }).elements()).toHaveLength(0)
    expect(row().hasAttribute('tabindex')).toBe(false)
  })

  it('comes to rest with an item at its edge', async () => {
    await show(drawn(6), 400)
    row().scrollTo({ left: 300, behavior: 'instant' })
    await expect.poll(() => row().scrollLeft).toBe(260)
  })

  it('goes the other way where the text does', async () => {
    await show(drawn(4), 400, (inside) => <div dir="rtl">{inside}</div>)
    picture(2).focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(picture(3))
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(document.activeElement).toBe(picture(1))
    await expect.element(page.getByRole('button', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('leaves the keys of the browser to the browser', async () => {
    const keys = vi.fn()
    await show(drawn(3), 400, (inside) => (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
      <div onKeyDown={(event) => keys(event.defaultPrevented)}>{inside}</div>
    ))
    picture(1).focus()
    await userEvent.keyboard('{Control>}{ArrowRight}{/Control}')
    expect(document.activeElement).toBe(picture(1))
    expect(keys).toHaveBeenLastCalledWith(false)
  })
})

describe('a picture over the whole window', () => {
  it('leaves its place in the row and the keyboard where they were', async () => {
    await show(drawn(2))
    await loaded()
    const before = boxes()
    await userEvent.click(picture(1))
    expect(picture(1).matches(':popover-open')).toBe(true)
    const { width, height } = picture(1).getBoundingClientRect()
    expect([width, height]).toEqual([document.documentElement.clientWidth, 800])
    expect(boxes()).toEqual(before)
    await userEvent.keyboard('{Escape}')
    expect(picture(1).matches(':popover-open')).toBe(false)
    expect(document.activeElement).toBe(picture(1))
    expect(boxes()).toEqual(before)
  })

  it('is left by Escape, which leaves the answer behind it alone', async () => {
    const media: MessagePart = { type: 'media', id: 'm', items: drawn(2) }
    const chat = createFakeChat({
      status: 'streaming',
      messages: [said('u', 'Show me'), answer('a', [media], { status: 'streaming' })],
    })
    await render(<Chat chat={chat} />)
    await userEvent.click(picture(1))
    await expect.element(picture(1)).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{Escape}')
    expect(chat.used).toEqual([])
    await expect.element(picture(1)).toHaveAttribute('aria-expanded', 'false')
    await userEvent.keyboard('{Escape}')
    expect(chat.used).toEqual([['stop']])
  })

  it('gives way to the next one, past what is not loaded', async () => {
    const items = drawn(3)
    await show([
      ...items.slice(0, 2),
      { url: 'https://pictures.invalid/b.png', mimeType: 'image/png' },
      ...items.slice(2),
    ])
    await userEvent.click(picture(2))
    await expect.element(picture(2)).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{ArrowRight}')
    expect(picture(3).matches(':popover-open')).toBe(true)
    expect(picture(2).matches(':popover-open')).toBe(false)
    expect(asked('pictures.invalid/b.png')).toEqual([])
    await expect.element(picture(3)).toHaveAttribute('aria-expanded', 'true')
    await userEvent.click(picture(3))
    expect(document.querySelector(':popover-open')).toBeNull()
  })
})

/** Smooth scrolling has come to an end. */
async function settled(): Promise<void> {
  let last = Number.NaN
  while (last !== row().scrollLeft) {
    last = row().scrollLeft
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
