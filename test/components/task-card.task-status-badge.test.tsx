// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { render } from '@testing-library/react'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { german } from '../../src/strings/german.ts'
import { TaskStatusBadge } from '../../src/components/task-card.tsx'
import { englishTasks } from '../../src/strings/tasks.ts'
import { germanTasks } from '../../src/strings/german-pack.ts'
import { TaskStringsProvider } from '../../src/components/dictionary/task-strings-context.tsx'
import type { TaskStatus } from '../../src/seam/agent-event.ts'
import './show.tsx'

const STATES = Object.keys(englishTasks.status).filter((state) => state !== 'unfinished') as TaskStatus[]

describe('the state of a task', () => {
  it('is one of nine, each with a word and its own glyph', () => {
    const { container } = render(STATES.map((status) => <TaskStatusBadge key={status} status={status} />))
    const badges = [...container.querySelectorAll<HTMLElement>('.cs-task-status')]
    expect(badges).toHaveLength(9)
    expect(badges.map(({ dataset }) => dataset['status'])).toEqual(STATES)
    expect(new Set(badges.map(({ textContent }) => textContent)).size).toBe(9)
    expect(new Set(badges.map((badge) => badge.querySelector('path')?.getAttribute('d'))).size).toBe(9)
    expect(badges.filter((badge) => badge.querySelector('.cs-spin'))).toHaveLength(1)
  })

  it.each([
    ['submitted', 'Not finished'],
    ['working', 'Not finished'],
    ['input-required', 'Not finished'],
    ['completed', 'Completed'],
    ['failed', 'Failed'],
  ] as const)('%s of a task of which nothing more comes is %j, and nothing turns', (status, words) => {
    const { container } = render(<TaskStatusBadge status={status} live={false} />)
    expect(container.textContent).toBe(words)
    expect(container.querySelector('.cs-spin')).toBeNull()
  })

  it('that is not known is named in the agent’s word where there is one', () => {
    const { container, rerender } = render(<TaskStatusBadge status="unknown" word="TASK_STATE_PAUSED" />)
    expect(container.textContent).toBe('TASK_STATE_PAUSED')
    rerender(<TaskStatusBadge status="unknown" />)
    expect(container.textContent).toBe('Unknown state')
    rerender(<TaskStatusBadge status="working" word="TASK_STATE_PAUSED" />)
    expect(container.textContent).toBe('Working')
  })

  it('is in the language of the page, and in no other while that is fetched', async () => {
    const { container } = render(
      <DictionaryProvider strings={german}>
        <TaskStatusBadge status="working" />
      </DictionaryProvider>,
    )
    expect(container.textContent).toBe('')
    expect(await screen.findByText('In Arbeit')).toBeTruthy()
    await act(async () => {})
  })

  it('is in the language of a provider at once', () => {
    const { container } = render(
      <TaskStringsProvider strings={germanTasks}>
        <TaskStatusBadge status="completed" />
      </TaskStringsProvider>,
    )
    expect(container.textContent).toBe('Abgeschlossen')
  })
})
