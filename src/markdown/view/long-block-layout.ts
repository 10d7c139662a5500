import { createSizeObserver, windowOf } from '../../base/node-page.ts'

/** Fixes the columns, and again when the frame gets another width; gives the way to stop. */
export function keepColumnsFixed(table: HTMLTableElement): (() => void) | undefined {
  const frame = table.parentElement
  return frame ? onWidth(frame, () => fixColumns(table)) : undefined
}

/** Fixes the columns at the widths that they have by themselves. From now on each group of rows is a table with columns as wide. */
function fixColumns(table: HTMLTableElement): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  const setColumns = (widths: readonly number[]): void => {
    for (const [column, head] of heads.entries()) head.style.inlineSize = widths.length > 0 ? `${widths[column]}px` : ''
    for (const body of table.tBodies) copyColumns(body)
  }
  delete table.dataset['fixed']
  setColumns([])
  const widths = heads.map((head) => head.getBoundingClientRect().width)
  table.style.setProperty('--cs-md-width', `${widths.reduce((sum, width) => sum + width, 0)}px`)
  setColumns(widths)
  table.dataset['fixed'] = ''
}

/** Makes the columns of a group of rows as wide as those of the head: in a fixed layout the first row decides. */
export function copyColumns(body: HTMLTableSectionElement): void {
  const heads = body.closest('table')?.tHead?.rows[0]?.cells
  for (const [column, cell] of [...(body.rows[0]?.cells ?? [])].entries())
    cell.style.inlineSize = heads?.[column]?.style.inlineSize ?? ''
}

/** Draws the first line of a stretch over the last line of what is before it. */
export function joinLines(stretch: HTMLElement): void {
  const paragraph = stretch.parentElement
  const last = lastText(stretch.previousSibling)
  if (!paragraph || !last) return
  const place = (indent: number, by: number): void => {
    stretch.style.textIndent = `${indent}px`
    stretch.style.marginBlockStart = `${by}px`
  }
  place(0, 0)
  const range = last.ownerDocument.createRange()
  // Absent where nothing is laid out, as in jsdom.
  if (!('getClientRects' in range)) return
  range.selectNodeContents(last)
  const line = [...range.getClientRects()].findLast(({ width }) => width > 0)
  if (!line) return
  const view = windowOf(paragraph)
  if (!view) return
  const { direction, lineHeight } = view.getComputedStyle(paragraph)
  const box = paragraph.getBoundingClientRect()
  const height = Number.parseFloat(lineHeight)
  const by = line.top - (height - line.height) / 2 - stretch.getBoundingClientRect().top
  const indent = direction === 'rtl' ? box.right - line.left : line.right - box.left
  // Text is measured in whole pixels, lines are not.
  place(indent, Math.abs(by + height) < 1 ? -height : by)
}

function lastText(node: Node | null): Text | null {
  let last = node
  while (last?.lastChild) last = last.lastChild
  return last?.nodeType === 3 ? (last as Text) : null
}

/** Joins all stretches, and again when the paragraph gets another width; gives the way to stop. */
export function keepJoined(paragraph: HTMLElement): () => void {
  return onWidth(paragraph, () => {
    for (const stretch of paragraph.querySelectorAll<HTMLElement>(':scope > .cs-md-stretch')) joinLines(stretch)
  })
}

/** Calls at once, and when the element has got another width; gives the way to stop. */
function onWidth(element: HTMLElement, act: () => void): () => void {
  let width: number | undefined
  const look = (): void => {
    if (element.clientWidth === width) return
    width = element.clientWidth
    act()
  }
  look()
  // In the next frame: what is inside gets another height, which would be a change within the observation of changes.
  let next = 0
  const view = windowOf(element)
  const sizes = createSizeObserver(element, () => {
    view?.cancelAnimationFrame(next)
    next = view?.requestAnimationFrame(look) ?? 0
  })
  sizes?.observe(element)
  return () => {
    sizes?.disconnect()
    view?.cancelAnimationFrame(next)
  }
}
