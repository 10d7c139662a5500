import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { ThoughtTrace } from '../../src/components/thought-trace.tsx'
import { ToolCall } from '../../src/components/tool-call.tsx'

const sentence =
  'Sheet 14 covers the reach from the weir down to the tidal limit, and cut-off loops show up as crescents. '
const thoughts = (count: number) => [
  { id: 't', text: Array.from({ length: count }, (_, at) => `${at} ${sentence}`).join('') },
]

const sized = (element: HTMLElement | null): void => element?.style.setProperty('width', '688px')
const view = (thought: ReactNode): ReactNode => (
  <div ref={sized}>
    {thought}
    <p>What is said below</p>
  </div>
)

const body = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('.cs-thought-body')
  if (!found) throw new Error('No thought is shown.')
  return found
}
const below = (): number => page.getByText('What is said below').element().getBoundingClientRect().top
/** Where a sentence is in the window. */
const textTop = (): number => {
  const [text] = body().querySelectorAll('p')
  if (!text) throw new Error('Nothing is thought.')
  return text.getBoundingClientRect().top
}
const fold = (): HTMLDetailsElement => {
  const found = document.querySelector('details')
  if (!found) throw new Error('Nothing is folded.')
  return found
}
/** How long opening and folding take now. The browser keeps the animation itself to itself. */
const slide = (): string => getComputedStyle(fold(), '::details-content').transitionDuration
/** Nothing has changed its height for a few frames. */
async function still(): Promise<void> {
  for (let same = 0, last = -1; same < 5; same += 1) {
    await new Promise(requestAnimationFrame)
    const { height } = fold().getBoundingClientRect()
    if (height !== last) same = 0
    last = height
  }
}

beforeEach(async () => {
  await page.viewport(1280, 800)
  await cdp().send('Emulation.setEmulatedMedia', { features: [] })
})

describe('a thought that grows', () => {
  it('has a window of 88 px from its first word, and moves nothing below it', async () => {
    const { rerender } = await render(view(<ThoughtTrace live thoughts={[{ id: 't', text: 'So' }]} />))
    expect(body().getBoundingClientRect().height).toBe(88)
    const place = below()
    for (const count of [1, 5, 20]) {
      await rerender(view(<ThoughtTrace live thoughts={thoughts(count)} />))
      expect(body().getBoundingClientRect().height).toBe(88)
      expect(below()).toBe(place)
    }
  })

  it('shows its own end', async () => {
    const { rerender } = await render(view(<ThoughtTrace live thoughts={thoughts(2)} />))
    for (const count of [5, 9, 20]) {
      await rerender(view(<ThoughtTrace live thoughts={thoughts(count)} />))
      const text = body().querySelector('p')?.getBoundingClientRect()
      expect(text?.bottom).toBeCloseTo(body().getBoundingClientRect().bottom, 0)
    }
  })

  it('does not move what a reader has scrolled back to', async () => {
    const { rerender } = await render(view(<ThoughtTrace live thoughts={thoughts(12)} />))
    body().scrollBy({ top: -100, behavior: 'instant' })
    const place = textTop()
    await rerender(view(<ThoughtTrace live thoughts={thoughts(14)} />))
    expect(textTop()).toBeCloseTo(place, 0)
  })

  it('can be scrolled by keyboard', async () => {
    await render(view(<ThoughtTrace live thoughts={thoughts(12)} />))
    const place = textTop()
    body().focus()
    await userEvent.keyboard('{ArrowUp}')
    await expect.poll(textTop).toBeGreaterThan(place)
  })
})

describe('a thought that is done', () => {
  it('folds immediately: nothing slides without an interaction', async () => {
    const { rerender } = await render(view(<ThoughtTrace live thoughts={thoughts(3)} />))
    await rerender(view(<ThoughtTrace thoughts={thoughts(3)} />))
    expect(fold().open).toBe(false)
    expect(slide()).toBe('0s')
    expect(fold().getBoundingClientRect().height).toBe(28)
  })

  it('moves nothing below it when it stays open', async () => {
    const { rerender } = await render(view(<ThoughtTrace live thoughts={thoughts(20)} />))
    await userEvent.click(page.getByText('Thinking'))
    await still()
    await userEvent.click(page.getByText('Thinking'))
    await still()
    const place = below()
    await rerender(view(<ThoughtTrace thoughts={thoughts(20)} />))
    expect(fold().open).toBe(true)
    expect(below()).toBe(place)
  })

  it('opens to all of it when the reader asks, and slides then', async () => {
    await render(view(<ThoughtTrace thoughts={thoughts(20)} />))
    await userEvent.click(page.getByText('Thought process', { exact: true }))
    expect(slide()).toBe('0.22s, 0.22s')
    await still()
    expect(body().scrollHeight).toBe(body().clientHeight)
    expect(body().getBoundingClientRect().height).toBeGreaterThan(300)
    expect(page.getByText('Thought process', { exact: true }).element().getBoundingClientRect().bottom).toBeLessThan(
      textTop(),
    )
  })

  it('opens immediately for who wants no motion', async () => {
    await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] })
    await render(view(<ThoughtTrace live thoughts={thoughts(3)} />))
    await userEvent.click(page.getByText('Thinking'))
    expect(slide()).toBe('0s')
    expect(getComputedStyle(page.getByText('Thinking').element()).animationName).toBe('none')
  })
})

describe('a tool call', () => {
  it('slides open, too', async () => {
    await render(<ToolCall name="gauges.estimate" status="complete" input={{ a: 1 }} />)
    expect(slide()).toBe('0.22s, 0.22s')
    await userEvent.click(page.getByText('Used gauges.estimate'))
    await still()
    await expect.element(page.getByText('"a": 1')).toBeVisible()
  })

  it('with a long payload is a stop for the keyboard, and with a short one is none', async () => {
    await render(
      <ToolCall open name="x" status="complete" input={{ a: 1 }} output={Array.from({ length: 200 }, (_, at) => at)} />,
    )
    await expect.poll(() => [...document.querySelectorAll('pre')].map((pre) => pre.tabIndex)).toEqual([-1, 0])
  })
})
