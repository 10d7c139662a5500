// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { RootProps } from '../../src/components/internals/part.ts'
import type { ProgressStep } from '../../src/components/progress-indicator.tsx'
import { ProgressIndicator } from '../../src/components/progress-indicator.tsx'
import { pass } from './show.tsx'

const step = (change: Partial<ProgressStep> = {}): ProgressStep => ({
  id: '1',
  label: 'Reading',
  status: 'running',
  ...change,
})
const bars = (): HTMLProgressElement[] => screen.queryAllByRole<HTMLProgressElement>('progressbar')
const rows = (): (string | null)[] => screen.getAllByRole('listitem').map((row) => row.textContent)

describe('progress', () => {
  it.each([
    [45, '1'],
    [-1, '0'],
    [0.62, '0.62'],
    [Infinity, '1'],
    [Number.NaN, null],
    [undefined, null],
  ])('keeps a share of %s inside its row', (fraction, value) => {
    render(<ProgressIndicator steps={[step({ fraction })]} />)
    expect(bars().map((bar) => bar.getAttribute('value'))).toEqual([value])
  })

  it('has a word for every state, and the reason of a failure', () => {
    render(
      <ProgressIndicator
        steps={[
          step({ id: '1', status: 'pending' }),
          step({ id: '2' }),
          step({ id: '3', fraction: 0.621 }),
          step({ id: '4', status: 'complete' }),
          step({ id: '5', status: 'complete', detail: '31 rows' }),
          step({ id: '6', status: 'failed', detail: 'no answer in 30 s' }),
        ]}
      />,
    )
    expect(rows()).toEqual([
      'ReadingWaiting',
      'ReadingRunning',
      'Reading62%',
      'ReadingDone',
      'Reading31 rows',
      'Reading no answer in 30 sFailed',
    ])
    expect(screen.getAllByRole('listitem').map((row) => row.dataset['state'])).toEqual([
      'pending',
      'running',
      'running',
      'complete',
      'complete',
      'failed',
    ])
  })

  it('tells a bar by its label and its share', () => {
    render(<ProgressIndicator steps={[step({ fraction: 0.5 })]} />)
    expect(screen.getByRole('progressbar', { name: 'Reading' }).getAttribute('aria-valuetext')).toBe('50%')
  })

  it('changes its rows in place, whatever comes', () => {
    const { rerender } = render(<ProgressIndicator steps={[step(), step({ id: '2', label: 'Counting' })]} />)
    const [row] = screen.getAllByRole('listitem')
    const [bar] = bars()
    const other = screen.getAllByRole('listitem')[1]
    for (const change of [
      { fraction: 0.2 },
      { fraction: 0.9 },
      { status: 'failed', fraction: 0.9, detail: 'no answer' },
    ] as const) {
      rerender(<ProgressIndicator steps={[step(change), step({ id: '2', label: 'Counting' })]} />)
      expect(screen.getAllByRole('listitem')).toEqual([row, other])
      expect(bars()[0]).toBe(bar)
    }
  })

  it('that fails shows how far it got, where the agent says so, and done has no bar', () => {
    const { rerender } = render(<ProgressIndicator steps={[step({ status: 'failed', fraction: 0.2 })]} />)
    expect(bars()[0]?.value).toBe(0.2)
    rerender(<ProgressIndicator steps={[step({ status: 'failed' })]} />)
    expect(bars()).toEqual([])
    rerender(<ProgressIndicator steps={[step({ status: 'complete', fraction: 1 })]} />)
    expect(bars()).toEqual([])
  })

  it('without a share says how long it has been at it', () => {
    vi.useFakeTimers()
    try {
      render(<ProgressIndicator steps={[step()]} />)
      pass(9000)
      expect(rows()).toEqual(['ReadingRunning9 s'])
      expect(screen.getByText('9 s').getAttribute('aria-hidden')).toBe('true')
    } finally {
      vi.useRealTimers()
    }
  })

  it('stops moving once the answer has ended, and says what is not finished', () => {
    const { container } = render(
      <ProgressIndicator
        live={false}
        steps={[step(), step({ id: '2', fraction: 0.4 }), step({ id: '3', status: 'complete' })]}
      />,
    )
    expect([...container.querySelectorAll<HTMLElement>('.cs-step')].map(({ dataset }) => dataset['state'])).toEqual([
      'unfinished',
      'unfinished',
      'complete',
    ])
    expect([...container.querySelectorAll('.cs-step-value')].map(({ textContent }) => textContent)).toEqual([
      'Not finished',
      'Not finished',
      'Done',
    ])
    expect(bars().map((bar) => bar.value)).toEqual([0.4])
    expect(document.querySelector('.cs-spin')).toBeNull()
    expect(document.querySelector('[data-moving]')).toBeNull()
  })

  it('in many steps shows the last ones, and the earlier ones on request', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      step({ id: `${index}`, label: `Sheet ${index}`, status: index === 3 ? 'failed' : 'complete' }),
    )
    render(<ProgressIndicator steps={many} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(9)
    const last = screen.getByText('Sheet 29')
    const fold = screen.getByText('22 earlier steps, 1 failed').closest('details')
    // What the browser does when a summary is used; jsdom fires no toggle event by itself.
    const toggle = (open: boolean): void => {
      if (!fold) throw new Error('Nothing is folded.')
      act(() => {
        fold.open = open
        fold.dispatchEvent(new Event('toggle'))
      })
    }
    toggle(true)
    expect(screen.getAllByRole('listitem')).toHaveLength(31)
    expect(screen.getByText('Sheet 29')).toBe(last)
    toggle(false)
    expect(screen.getAllByRole('listitem')).toHaveLength(9)
  })

  it('of nine steps hides none: a fold would take the space of the one', () => {
    render(<ProgressIndicator steps={Array.from({ length: 9 }, (_, index) => step({ id: `${index}` }))} />)
    expect(document.querySelector('details')).toBeNull()
    expect(screen.getAllByRole('listitem')).toHaveLength(9)
  })

  it('renders only when a step has changed, however often the answer around it does', () => {
    const root = vi.fn((props: RootProps) => <ul {...props} />)
    const one = step()
    const { rerender } = render(<ProgressIndicator steps={[one]} render={root} />)
    rerender(<ProgressIndicator steps={[one]} render={root} />)
    expect(root).toHaveBeenCalledTimes(1)
    rerender(<ProgressIndicator steps={[step({ fraction: 1 })]} render={root} />)
    expect(root).toHaveBeenCalledTimes(2)
  })

  it('is a list to those who hear it', () => {
    render(<ProgressIndicator steps={[step()]} />)
    expect(within(screen.getByRole('list', { name: 'Progress' })).getAllByRole('listitem')).toHaveLength(1)
  })
})
