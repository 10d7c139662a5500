// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'

/** How often the rare syntax and footnotes were fetched. */
const rest = { asked: 0 }

/**
 * To be called once before an import: vitest registers mocks at the next import, and two of one module in any order.
 *
 * @param isReachable whether the rare syntax and footnotes can be fetched
 */
function connect(isReachable: boolean): void {
  vi.doMock('../../../src/components/markdown-block/rest-of-engine.ts', async (original) => {
    rest.asked += 1
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module')
    return original()
  })
}

beforeEach(async () => {
  // What the test before left on its way would arrive among the modules of this one.
  await vi.dynamicImportSettled()
  vi.resetModules()
  rest.asked = 0
  // In the same file, and fetched by each document.
  vi.doMock('../../../src/markdown/view/load-long-block-layout.ts', () => ({
    loadLongBlockLayout: () => Promise.resolve(),
    withLayout: () => () => {},
  }))
})

it('shows text before the rare names of characters are there, asks for them again, and reads the text again', async () => {
  connect(false)
  const { loadEngine } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const first = render(<MarkdownBlock content="**rich** &oint; &amp;" />)
  expect(first.container.textContent).toBe('rich &oint; &')
  await eventually(() => expect(rest.asked).toBe(1))
  connect(true)
  expect(first.container.textContent).toBe('rich &oint; &')
  // The next block after the failure retries.
  await eventually(async () => {
    await act(async () => {
      render(<MarkdownBlock content="more" />)
    })
    expect(rest.asked).toBe(2)
  })
  await eventually(() => expect(first.container.textContent).toBe('rich ∮ &'))
})

it('reads HTML as words before its code is there, asks for it again, and shows it as it was written then', async () => {
  connect(false)
  const { loadEngine } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const { container } = render(<MarkdownBlock content={'<i title="*a*"> **rich**\n\n<div>\n*b*\n</div>'} />)
  expect(container.textContent).toBe('<i title="a"> rich<div>\nb\n</div>')
  await eventually(() => expect(rest.asked).toBe(1))
  connect(true)
  await eventually(async () => {
    await act(async () => {
      render(<MarkdownBlock content="more" />)
    })
    expect(rest.asked).toBe(2)
  })
  await eventually(() => expect(container.textContent).toContain('<i title="*a*"> rich'))
  expect(container.textContent).toContain('<div>\n*b*\n</div>')
})

it('reads nothing again where nothing rare was met', async () => {
  connect(true)
  const { loadEngine } = await import('../../../src/components/markdown-block/markdown-block.tsx')
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
  connect(true)
  const { loadEngine } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const content = 'See [the *map*][m].\n\n[m]: https://rivers.example/map\n'
  const { container } = render(<MarkdownBlock content={content} />)
  expect(container.textContent).toBe('See [the map][m].[m]: https://rivers.example/map')
  await eventually(() => expect(container.textContent).toBe('See the map.'))
  expect(container.querySelector('a')).toHaveProperty('href', 'https://rivers.example/map')
})

it('shows the marks of footnotes as text before their code is there, asks for it again, and shows the notes then', async () => {
  connect(false)
  const { loadEngine } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  const { MarkdownBlock } = await import('../../../src/components/markdown-block/markdown-block.tsx')
  await loadEngine()
  const content = 'Rivers[^a] **meander**.\n\n[^a]: Slowly.\n'
  const first = render(<MarkdownBlock content={content} />)
  expect(first.container.textContent).toBe('Rivers[^a] meander.')
  await eventually(() => expect(rest.asked).toBe(1))
  connect(true)
  // The next block after the failure retries.
  await eventually(async () => {
    await act(async () => {
      render(<MarkdownBlock content="more" />)
    })
    expect(rest.asked).toBe(2)
  })
  await eventually(() => expect(first.container.textContent).toBe('Rivers1 meander.Slowly.↩︎'))
  expect(rest.asked).toBe(2)
})
