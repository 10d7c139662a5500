import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import type { ProgressStep } from '../../src/components/progress-indicator.tsx'
import { ProgressIndicator } from '../../src/components/progress-indicator.tsx'

const rows = (): HTMLElement[] => page.getByRole('listitem').elements() as HTMLElement[]
const heights = (): number[] => rows().map((row) => row.getBoundingClientRect().height)
const list = (): HTMLElement => page.getByRole('list', { name: 'Progress' }).element() as HTMLElement
const step = (change: Partial<ProgressStep> = {}): ProgressStep => ({
  id: '1',
  label: 'Reading',
  status: 'running',
  ...change,
})

beforeEach(async () => {
  await page.viewport(1280, 800)
})

describe('a step', () => {
  const life: readonly ProgressStep[] = [
    step({ status: 'pending' }),
    step(),
    step({ fraction: 0.1 }),
    step({ fraction: 0.9, detail: 'row 30 of 31' }),
    step({
      status: 'failed',
      detail: 'no answer in 30 s from a server whose name is longer than any line of this page could ever be',
    }),
    step({ status: 'complete', detail: '31 rows' }),
  ]

  it.each([1280, 320])('is 40 px high in every state, on a page of %i px', async (width) => {
    await page.viewport(width, 800)
    const { rerender } = await render(<ProgressIndicator steps={life.slice(0, 1)} />)
    for (const state of life) {
      await rerender(<ProgressIndicator steps={[state]} />)
      expect(heights()).toEqual([40])
    }
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })

  it('keeps its label in its place while its value changes', async () => {
    const { rerender } = await render(<ProgressIndicator steps={[step()]} />)
    const label = (): number => page.getByText('Reading').element().getBoundingClientRect().left
    const place = label()
    for (const state of life) {
      await rerender(<ProgressIndicator steps={[state]} />)
      expect(label()).toBe(place)
    }
  })

  it('has a bar of 3 px on its lower edge, as wide as its share', async () => {
    await render(<ProgressIndicator steps={[step({ fraction: 0.5 })]} />)
    const bar = page.getByRole('progressbar').element().getBoundingClientRect()
    const row = rows()[0]?.getBoundingClientRect()
    expect([bar.height, bar.bottom, bar.width]).toEqual([3, row?.bottom, row?.width])
  })

  it('is shown by more than colour where colours are forced', async () => {
    await render(<ProgressIndicator steps={[step({ status: 'failed', fraction: 0.2 })]} />)
    await expect.element(page.getByText('Failed')).toBeVisible()
    expect(rows()[0]?.querySelector('svg')?.dataset['name']).toBe('alert')
  })
})

describe('a run of many steps', () => {
  const many = (count: number): ProgressStep[] =>
    Array.from({ length: count }, (_, at) =>
      step({ id: `${at}`, label: `Sheet ${at}`, status: at === count - 1 ? 'running' : 'complete' }),
    )

  it('grows to nine rows and no further', async () => {
    const { rerender } = await render(<ProgressIndicator steps={many(9)} />)
    const { height } = list().getBoundingClientRect()
    for (const count of [10, 11, 60]) {
      await rerender(<ProgressIndicator steps={many(count)} />)
      expect(heights()).toEqual(Array.from({ length: 9 }, () => 40))
      expect(list().getBoundingClientRect().height).toBe(height)
    }
  })

  it('opens to all of them by keyboard, and folds again', async () => {
    await render(<ProgressIndicator steps={many(30)} />)
    await userEvent.tab()
    expect(document.activeElement?.textContent).toBe('22 earlier steps')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => rows().length).toBe(31)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => rows().length).toBe(9)
    expect(document.activeElement?.textContent).toBe('22 earlier steps')
  })
})
