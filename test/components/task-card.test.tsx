// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RootProps } from '../../src/components/internals/part.ts'
import { TaskCard } from '../../src/components/task-card.tsx'
import './show.tsx'

const card = (): HTMLElement => screen.getByRole('group')
const stop = (): HTMLElement | null => screen.queryByRole('button', { name: /Stop/ })

describe('a task', () => {
  it('is a group by its title, with its state and what it is doing', () => {
    render(<TaskCard title="Survey the reach" status="working" statusText="Reading sheet 14" />)
    expect(card().getAttribute('aria-label')).toBe('Survey the reach')
    expect(card().dataset['status']).toBe('working')
    expect(card().textContent).toBe('WorkingSurvey the reachReading sheet 14')
  })

  it('without a title is called a task', () => {
    render(<TaskCard status="submitted" />)
    expect(card().getAttribute('aria-label')).toBe('Task')
  })

  it.each([
    ['working', true],
    ['input-required', true],
    ['failed', true],
    ['rejected', true],
    ['completed', false],
  ] as const)('that is %s shows what the agent says of its state: %s', (status, isShown) => {
    render(<TaskCard status={status} statusText="Sheet 15" />)
    expect(screen.queryByText('Sheet 15') !== null).toBe(isShown)
  })

  it('tells nobody in mid-run: it is not a live region', () => {
    render(<TaskCard status="working" statusText="Reading" />)
    expect(card().querySelector('[aria-live], [role=status], [role=alert], output')).toBeNull()
  })

  it.each([
    ['submitted', true],
    ['working', true],
    ['input-required', true],
    ['auth-required', true],
    ['unknown', true],
    ['completed', false],
    ['canceled', false],
    ['failed', false],
    ['rejected', false],
  ] as const)('that is %s can be stopped: %s', (status, canStop) => {
    render(<TaskCard status={status} onCancel={() => {}} />)
    expect(stop() !== null).toBe(canStop)
  })

  it('of which nothing more comes is not finished, and cannot be stopped', () => {
    render(<TaskCard status="working" live={false} onCancel={() => {}} />)
    expect(card().dataset['status']).toBe('unfinished')
    expect(stop()).toBeNull()
  })

  it('is stopped once, and its button says so until the agent has answered', async () => {
    let answer = (): void => {}
    const onCancel = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve
        }),
    )
    render(<TaskCard status="working" onCancel={onCancel} />)
    const button = screen.getByRole('button', { name: 'Stop task' })
    button.focus()
    fireEvent.click(button)
    fireEvent.click(button)
    expect(onCancel).toHaveBeenCalledTimes(1)
    expect(button.textContent).toBe('Stopping…')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(button)
    await act(async () => answer())
    expect(button.textContent).toBe('Stop task')
  })

  it('can be stopped again when that failed, and throws nothing at the page', async () => {
    const onCancel = vi.fn(() => Promise.reject(new Error('No connection.')))
    render(<TaskCard status="working" onCancel={onCancel} />)
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Stop task' })))
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Stop task' })))
    expect(onCancel).toHaveBeenCalledTimes(2)
  })

  it('has another control and what belongs to it', () => {
    render(
      <TaskCard status="failed" action={<button type="button">Run again</button>}>
        <p>A file</p>
      </TaskCard>,
    )
    expect(within(card()).getByRole('button', { name: 'Run again' })).toBeTruthy()
    expect(within(card()).getByText('A file')).toBeTruthy()
  })

  it('shows the tasks it is made of in a list, each with its state and its own', () => {
    render(
      <TaskCard
        title="Survey"
        status="working"
        tasks={[
          {
            id: 'a',
            title: 'North',
            status: 'working',
            statusText: 'Bank 2',
            tasks: [{ id: 'b', title: 'Gauge 12', status: 'failed', statusText: 'No width' }],
          },
          { id: 'c', status: 'completed', statusText: 'Done' },
        ]}
      />,
    )
    const list = screen.getByRole('list', { name: 'Subtasks' })
    expect([...list.children].map((row) => row.firstElementChild?.textContent)).toEqual([
      'WorkingNorth Bank 2',
      'CompletedTask',
    ])
    expect(within(list).getByRole('list').textContent).toBe('FailedGauge 12 No width')
  })

  it('shows lists in lists four deep and loses nothing below, and 60 of many at first', () => {
    type Tasks = { id: string; title: string; status: 'working'; tasks?: Tasks }[]
    const deep = (level: number): Tasks => [
      { id: `l${level}`, title: `Level ${level}`, status: 'working', ...(level < 9 && { tasks: deep(level + 1) }) },
    ]
    const { rerender } = render(<TaskCard status="working" tasks={deep(1)} />)
    expect(screen.getAllByRole('list')).toHaveLength(4)
    expect(screen.getAllByText(/^Level \d$/)).toHaveLength(9)
    const many = Array.from({ length: 100 }, (_, at) => ({ id: `${at}`, title: `T${at}`, status: 'working' as const }))
    rerender(<TaskCard status="working" tasks={many} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(60)
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(100)
  })

  it('is not rendered again while its props say the same', () => {
    const root = vi.fn((props: RootProps) => <div {...props} />)
    const tasks = [{ id: 'a', status: 'completed' }] as const
    const { rerender } = render(<TaskCard status="completed" tasks={[...tasks]} render={root} />)
    root.mockClear()
    rerender(<TaskCard status="completed" tasks={[...tasks]} render={root} />)
    expect(root).not.toHaveBeenCalled()
    rerender(<TaskCard status="failed" tasks={[...tasks]} render={root} />)
    expect(root).toHaveBeenCalledTimes(1)
  })
})

describe('the time of a task', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is shown while it works, for eyes only, and no longer changes after', () => {
    const { rerender } = render(<TaskCard status="working" />)
    act(() => void vi.advanceTimersByTime(72_000))
    const figure = card().querySelector('.cs-figures')
    expect(figure?.textContent).toBe('72 s')
    expect(figure?.getAttribute('aria-hidden')).toBe('true')
    rerender(<TaskCard status="completed" />)
    act(() => void vi.advanceTimersByTime(60_000))
    expect(card().querySelector('.cs-figures')?.textContent).toBe('72 s')
  })
})
