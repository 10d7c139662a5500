// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'

/** How often the layout of long blocks was asked for, and how often that fails. */
const layout = { asked: 0, fail: 0 }

beforeEach(() => {
  vi.resetModules()
  Object.assign(layout, { asked: 0, fail: 0 })
  vi.doMock('../../../src/markdown/view/long-block-layout.ts', async (original) => {
    layout.asked += 1
    if (layout.asked <= layout.fail) throw new TypeError('Failed to fetch dynamically imported module')
    return original()
  })
})

const LONG_TABLE = `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(200)}`

describe('the layout of long blocks', () => {
  it('is fetched with the first text, so that it is there for a table that comes while the page is offline', async () => {
    const { Markdown } = await import('../../../src/markdown/view/markdown.tsx')
    expect(layout.asked).toBe(0)
    render(<Markdown text="short" />)
    await eventually(() => expect(layout.asked).toBe(1))
    const { loadLongBlockLayout } = await import('../../../src/markdown/view/load-long-block-layout.ts')
    await loadLongBlockLayout()
    layout.fail = Infinity
    const { container } = render(<Markdown text={LONG_TABLE} />)
    // At once, before anything is painted.
    expect(container.querySelector('table')).toHaveProperty('dataset.fixed', '')
    expect(layout.asked).toBe(1)
  })

  it('that could not be fetched leaves a whole table, and the next text asks again', async () => {
    layout.fail = 2
    const { Markdown } = await import('../../../src/markdown/view/markdown.tsx')
    const { container } = render(<Markdown text={LONG_TABLE} />)
    await eventually(() => expect(layout.asked).toBeGreaterThan(0))
    expect(container.querySelectorAll('tbody tr')).toHaveLength(200)
    layout.fail = 0
    await act(async () => {
      render(<Markdown text="next" />)
    })
    const other = render(<Markdown text={LONG_TABLE} />)
    await eventually(() => expect(other.container.querySelector('table')).toHaveProperty('dataset.fixed', ''))
  })
})
