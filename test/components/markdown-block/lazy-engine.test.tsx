// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'

/** How often the rare names of characters were asked for, and how often that fails. */
const names = { asked: 0, fail: 1 }

beforeEach(() => {
  vi.resetModules()
  Object.assign(names, { asked: 0, fail: 1 })
  // The real names, after a connection that was down once.
  vi.doMock('../../../src/markdown/inline/all-entities.ts', async (original) => {
    names.asked += 1
    if (names.asked <= names.fail) throw new TypeError('Failed to fetch dynamically imported module')
    return original()
  })
})

it('shows text before the rare names of characters are there, asks for them again, and reads the text again', async () => {
  const { loadEngine } = await import('../../../src/components/markdown-block/lazy-engine.ts')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const first = render(<MarkdownBlock content="**rich** &oint; &amp;" />)
  expect(first.container.textContent).toBe('rich &oint; &')
  await eventually(() => expect(names.asked).toBe(1))
  expect(first.container.textContent).toBe('rich &oint; &')
  // Whoever comes next asks again.
  await act(async () => {
    render(<MarkdownBlock content="more" />)
  })
  await eventually(() => expect(names.asked).toBe(2))
  await eventually(() => expect(first.container.textContent).toBe('rich ∮ &'))
})
