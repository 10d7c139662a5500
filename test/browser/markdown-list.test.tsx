import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { cdp } from 'vitest/browser'
import '../../src/styles.css'
import { Markdown } from '../../src/markdown/view/markdown.tsx'

afterEach(cleanup)

function show(text: string): HTMLElement {
  const { container } = render(
    <div className="cs-part" style={{ inlineSize: 600 }}>
      <Markdown text={text} />
    </div>,
  )
  return container
}

const items = (count: number, mark: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${mark(n)} item ${n}\n`).join('')

const notes = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Text[^${n}].\n\n[^${n}]: Note ${n}.\n\n`).join('')

/** What a browser goes through for one item more: the children of the list, and those of its last group. */
const passed = (list: Element): number =>
  list.childElementCount + (list.lastElementChild?.matches('li') ? 0 : (list.lastElementChild?.childElementCount ?? 0))

async function rolesOf(): Promise<{ count: (name: string) => number; marks: readonly string[] }> {
  const session = cdp()
  await session.send('Accessibility.enable')
  const { frameTree } = await session.send('Page.getFrameTree')
  const frameId = frameTree.childFrames?.[0]?.frame.id
  const { nodes } = await session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId })
  return {
    count: (name) => nodes.filter(({ role, ignored }) => !ignored && role?.value === name).length,
    marks: nodes.flatMap(({ role, name }) => (role?.value === 'ListMarker' ? [String(name?.value).trim()] : [])),
  }
}

describe('a list of 600 items', () => {
  it('is laid out in groups, with the same space between all items', () => {
    const list = show(items(600, () => '-')).querySelector('ul')!
    expect(passed(list)).toBeLessThanOrEqual(128 + 4 + 128)
    const found = [...list.querySelectorAll('li')]
    expect(found).toHaveLength(600)
    const tops = found.map((item) => item.getBoundingClientRect().top)
    expect(new Set(tops.slice(1).map((top, at) => Math.round((top - tops[at]!) * 10))).size).toBe(1)
    expect(new Set(found.map((item) => item.getBoundingClientRect().left)).size).toBe(1)
  })

  it('has the same space between items that are set apart', () => {
    const list = show(items(300, () => '-').replaceAll('\n', '\n\n')).querySelector('ul')!
    const tops = [...list.querySelectorAll('li')].map((item) => item.getBoundingClientRect().top)
    expect(new Set(tops.slice(1).map((top, at) => Math.round((top - tops[at]!) * 10))).size).toBe(1)
  })

  it('is one list with all of its items for a screen reader, numbered through', async () => {
    show(items(600, (n) => `${n + 5}.`))
    const { count, marks } = await rolesOf()
    expect({ list: count('list'), listitem: count('listitem') }).toEqual({ list: 1, listitem: 600 })
    expect(marks).toEqual(Array.from({ length: 600 }, (_, n) => `${n + 5}.`))
  })

  it('copies as its text, from an item of one group to an item of another', () => {
    const found = [...show(items(600, () => '-')).querySelectorAll('li')]
    const selection = getSelection()!
    selection.setBaseAndExtent(found[126]!, 0, found[130]!, 1)
    expect(selection.toString().split('\n').filter(Boolean)).toEqual([126, 127, 128, 129, 130].map((n) => `item ${n}`))
  })

  it('has no layer for an item, for a browser goes through all layers for each word; one with a task has', () => {
    const list = show(items(300, () => '-') + items(2, () => '- [ ]')).querySelector('ul')!
    const isLayer = (element: Element): boolean => getComputedStyle(element).position !== 'static'
    expect([...list.querySelectorAll('li:not([data-task])')].filter(isLayer)).toEqual([])
    expect([...list.querySelectorAll('[data-task]')].filter(isLayer)).toHaveLength(2)
  })

  it('keeps its items while it grows from few to many', () => {
    const { container, rerender } = render(<Markdown text={items(100, () => '-')} live />)
    const early = container.querySelectorAll('li')[50]
    for (let count = 110; count <= 300; count += 10) rerender(<Markdown text={items(count, () => '-')} live />)
    expect(container.querySelectorAll('li')[50]).toBe(early)
    expect(container.querySelectorAll('li')).toHaveLength(300)
  })
})

describe('a short list', () => {
  it('holds its items directly', () => {
    const list = show(items(128, () => '-')).querySelector('ul')!
    expect([...list.children].every((child) => child.matches('li:not([role])'))).toBe(true)
    expect(list.hasAttribute('role')).toBe(false)
  })
})

describe('300 footnotes', () => {
  it('are laid out in groups, and numbered through', async () => {
    const list = show(notes(300)).querySelector('.cs-md-notes ol')!
    expect(passed(list)).toBeLessThanOrEqual(128 + 2 + 128)
    const { count, marks } = await rolesOf()
    expect({ list: count('list'), listitem: count('listitem') }).toEqual({ list: 1, listitem: 300 })
    expect(marks).toEqual(Array.from({ length: 300 }, (_, n) => `${n + 1}.`))
  })
})
