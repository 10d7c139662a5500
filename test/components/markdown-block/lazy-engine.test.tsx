// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'

/** How often the rare syntax was asked for, and how often that fails. */
const names = { asked: 0, fail: 1 }
/** The same of footnotes. */
const notes = { asked: 0, fail: 1 }

beforeEach(() => {
  vi.resetModules()
  for (const code of [names, notes]) Object.assign(code, { asked: 0, fail: 1 })
  // The real names, after a connection that was down once.
  vi.doMock('../../../src/markdown/all-syntax.ts', async (original) => {
    names.asked += 1
    if (names.asked <= names.fail) throw new TypeError('Failed to fetch dynamically imported module')
    return original()
  })
  vi.doMock('../../../src/markdown/view/all-footnotes.ts', async (original) => {
    notes.asked += 1
    if (notes.asked <= notes.fail) throw new TypeError('Failed to fetch dynamically imported module')
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

it('reads HTML as words before its code is there, asks for it again, and shows it as it was written then', async () => {
  const { loadEngine } = await import('../../../src/components/markdown-block/lazy-engine.ts')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const { container } = render(<MarkdownBlock content={'<i title="*a*"> **rich**\n\n<div>\n*b*\n</div>'} />)
  expect(container.textContent).toBe('<i title="a"> rich<div>\nb\n</div>')
  await eventually(() => expect(names.asked).toBe(1))
  await eventually(async () => {
    await act(async () => {
      render(<MarkdownBlock content="more" />)
    })
    expect(names.asked).toBe(2)
  })
  await eventually(() => expect(container.textContent).toContain('<i title="*a*"> rich'))
  expect(container.textContent).toContain('<div>\n*b*\n</div>')
})

it('reads nothing again where nothing rare was met', async () => {
  names.fail = 0
  const { loadEngine } = await import('../../../src/components/markdown-block/lazy-engine.ts')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  const { rareSyntaxVersion } = await import('../../../src/markdown/inline/rare-syntax.ts')
  const { addAllSyntax } = await import('../../../src/markdown/all-syntax.ts')
  await loadEngine()
  render(
    <MarkdownBlock
      content={'1 < 2, <https://rivers.example>, `<b>` and a <- b &amp; c\n\n[map](https://rivers.example): [ ] [x] y'}
    />,
  )
  await act(async () => addAllSyntax())
  expect(rareSyntaxVersion()).toBe(0)
})

it('shows a link that is defined apart as words before its code is there, and as a link then', async () => {
  names.fail = 0
  const { loadEngine } = await import('../../../src/components/markdown-block/lazy-engine.ts')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const content = 'See [the *map*][m].\n\n[m]: https://rivers.example/map\n'
  const { container } = render(<MarkdownBlock content={content} />)
  expect(container.textContent).toBe('See [the map][m].[m]: https://rivers.example/map')
  await eventually(() => expect(container.textContent).toBe('See the map.'))
  expect(container.querySelector('a')).toHaveProperty('href', 'https://rivers.example/map')
})

it('shows the marks of footnotes as text before their code is there, asks for it again, and shows the notes then', async () => {
  const { loadEngine } = await import('../../../src/components/markdown-block/lazy-engine.ts')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const content = 'Rivers[^a] **meander**.\n\n[^a]: Slowly.\n'
  const first = render(<MarkdownBlock content={content} />)
  expect(first.container.textContent).toBe('Rivers[^a] meander.')
  await eventually(() => expect(notes.asked).toBe(1))
  // Whoever comes after the failure asks again.
  await eventually(async () => {
    await act(async () => {
      render(<MarkdownBlock content="more" />)
    })
    expect(notes.asked).toBe(2)
  })
  await eventually(() => expect(first.container.textContent).toBe('Rivers1 meander.Slowly.↩︎'))
  expect(notes.asked).toBe(2)
})
