import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { cdp } from 'vitest/browser'
import '../../src/styles.css'
import { Markdown } from '../../src/markdown/view/markdown.tsx'
import { painted } from './transcript.tsx'

const HEAD = '| Reach | What is seen there | Depth |\n|---|:-:|--:|\n'
const row = (n: number): string => `| Reach ${n} | some *text* about reach ${n} | ${n * n} |\n`
const rows = (count: number): string => Array.from({ length: count }, (_, n) => row(n)).join('')

afterEach(cleanup)

function show(text: string, live = false): HTMLTableElement {
  render(
    <div className="cs-part" style={{ inlineSize: 600 }}>
      <Markdown text={text} live={live} />
    </div>,
  )
  return document.querySelector('table')!
}

/** Left edges of the cells of a row, in whole pixels. */
const edges = (found: HTMLTableRowElement): number[] =>
  [...found.cells].map((cell) => Math.round(cell.getBoundingClientRect().left))

describe('a table of 600 rows', () => {
  it('has its columns under the heads in every group of rows, as wide as before they were fixed', () => {
    const few = show(HEAD + rows(100))
    const before = edges(few.rows[0]!)
    cleanup()
    const table = show(HEAD + rows(600))
    expect(table.tBodies.length).toBeGreaterThan(3)
    for (const at of [0, 1, 128, 129, 300, 600])
      expect(edges(table.rows[at]!), String(at)).toEqual(edges(table.rows[0]!))
    // The longest cell decides: of more rows it is as long or a few letters longer.
    for (const [column, edge] of edges(table.rows[0]!).entries())
      expect(Math.abs(edge - (before[column] ?? 0))).toBeLessThan(20)
  })

  it('has columns as wide as they need to be, after its frame has become narrow and wide again', async () => {
    const table = show(HEAD + rows(600))
    const frame = table.closest<HTMLElement>('.cs-part')!
    const wide = edges(table.rows[0]!)
    frame.style.inlineSize = '300px'
    await painted(2)
    const narrow = edges(table.rows[0]!)
    expect(table.offsetWidth).toBeLessThan(560)
    for (const at of [1, 129, 600]) expect(edges(table.rows[at]!)).toEqual(narrow)
    frame.style.inlineSize = '600px'
    await painted(2)
    expect(edges(table.rows[0]!)).toEqual(wide)
  })

  it('has one line between all rows, and none below the last', () => {
    const table = show(HEAD + rows(600))
    const widths = [...table.rows].map((found) => getComputedStyle(found.cells[0]!).borderBlockEndWidth)
    expect(new Set(widths.slice(0, -1))).toEqual(new Set(['1px']))
    expect(widths.at(-1)).toBe('0px')
  })

  it('lays out and paints a group of rows as its own box', () => {
    const table = show(HEAD + rows(600))
    for (const body of table.tBodies) expect(getComputedStyle(body).contain).toBe('content')
    expect(table.scrollWidth).toBeLessThanOrEqual(table.clientWidth)
  })

  it('copies as its text, from a cell of one group to a cell of another', () => {
    const table = show(HEAD + rows(600))
    const selection = getSelection()!
    selection.setBaseAndExtent(table.rows[127]!.cells[0]!.firstChild!, 0, table.rows[130]!.cells[2]!, 1)
    expect(
      selection
        .toString()
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => line.replace(/\t/g, ' | ')),
    ).toEqual([126, 127, 128, 129].map((n) => `Reach ${n} | some text about reach ${n} | ${n * n}`))
  })

  it('is a table with rows, column headers and cells for a screen reader', async () => {
    show(HEAD + rows(600))
    const session = cdp()
    await session.send('Accessibility.enable')
    const { frameTree } = await session.send('Page.getFrameTree')
    const frameId = frameTree.childFrames?.[0]?.frame.id
    const { nodes } = await session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId })
    const roles = nodes.map(({ role }) => String(role?.value))
    const count = (name: string): number => roles.filter((role) => role === name).length
    expect({
      table: count('table'),
      row: count('row'),
      columnheader: count('columnheader'),
      cell: count('cell'),
    }).toEqual({
      table: 1,
      row: 601,
      columnheader: 3,
      cell: 1800,
    })
  })

  it('keeps its rows while it grows from few to many', async () => {
    const { rerender } = render(<Markdown text={HEAD + rows(100)} live />)
    const table = document.querySelector('table')!
    const early = table.rows[50]!
    for (let count = 110; count <= 300; count += 10) rerender(<Markdown text={HEAD + rows(count)} live />)
    await painted(2)
    expect(table.rows[50]).toBe(early)
    expect(table.dataset['fixed']).toBe('')
    expect(edges(table.rows[290]!)).toEqual(edges(table.rows[0]!))
  })
})

describe('a fence of 400 lines', () => {
  const code = Array.from({ length: 400 }, (_, n) => `const value${n} = compute(${n})`)
  code[200] = `const long = '${'wide '.repeat(80)}'`
  const fence = `\`\`\`js\n${code.join('\n')}\n\`\`\`\n`

  it('lays out groups of lines as boxes, and scrolls to the end of its longest line', () => {
    show(fence)
    const pre = document.querySelector('pre')!
    const groups = [...pre.querySelectorAll<HTMLElement>('.cs-md-lines')]
    expect(groups.length).toBeGreaterThan(8)
    for (const group of groups) expect(getComputedStyle(group).contain).toBe('content')
    expect(pre.scrollWidth).toBeGreaterThan(2000)
    const heights = new Set(groups.map((group) => Math.round(group.getBoundingClientRect().height)))
    expect(heights.size).toBe(1)
  })

  it('has the text of its source, also in a selection over groups', () => {
    show(fence)
    const pre = document.querySelector('pre')!
    expect(pre.textContent).toBe(code.join('\n'))
    const selection = getSelection()!
    selection.selectAllChildren(pre)
    expect(selection.toString()).toBe(code.join('\n'))
  })
})
