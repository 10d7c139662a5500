import type { Block, Chunks, Footnote, ListItem, TableRow } from '../inline/tree.ts'
import { indexByKey } from './leaves.ts'
import type { BlockState, Frame } from './frame.ts'
import type { Renewed } from './leaf-inlines.ts'

/** Leaves of one document or footnote, by their keys. */
type Renewals = readonly Renewed[]

/** The state with the content of some closed leaves made again: what does not hold one of them stays the same object. */
export function renewLeaves(state: BlockState, renewed: readonly Renewed[]): BlockState {
  const homes = new Map<number | undefined, Renewed[]>()
  for (const leaf of renewed) {
    const leaves = homes.get(leaf.place.home)
    if (leaves === undefined) homes.set(leaf.place.home, [leaf])
    else leaves.push(leaf)
  }
  for (const leaves of homes.values()) leaves.sort((one, other) => one.place.key - other.place.key)

  let home: number | undefined
  const frames = state.frames.map((frame) => {
    if (frame.type === 'footnote') home = frame.key
    const leaves = homes.get(home)
    return leaves === undefined ? frame : inFrame(frame, leaves)
  })
  let footnotes = state.footnotes
  for (const [key, leaves] of homes) {
    const at = key === undefined ? -1 : indexByKey(footnotes, key)
    const footnote = footnotes[at]
    if (footnote?.key === key && footnote !== undefined) footnotes = footnotes.with(at, inFootnote(footnote, leaves))
  }
  return { ...state, frames, footnotes }
}

function inFrame(frame: Frame, leaves: Renewals): Frame {
  switch (frame.type) {
    case 'list':
      return { ...frame, children: inChunks(frame.children, leaves, inItem) }
    case 'document':
    case 'quote':
    case 'item':
    case 'footnote':
      return { ...frame, children: inChunks(frame.children, leaves, inBlock) }
    case 'table':
      return { ...frame, head: inRow(frame.head, leaves), rows: inChunks(frame.rows, leaves, inRow) }
    default:
      return frame
  }
}

/** Leaves are in the item with the last key that is not above theirs. */
function inChunks<Item extends { readonly key: number }>(
  chunks: Chunks<Item>,
  leaves: Renewals,
  inItem: (item: Item, leaves: Renewals) => Item,
): Chunks<Item> {
  return splice(chunks, leaves, (chunk, inside) => {
    const items = splice(chunk.items, inside, inItem)
    return items === chunk.items ? chunk : { key: chunk.key, items }
  })
}

function splice<Item extends { readonly key: number }>(
  items: readonly Item[],
  leaves: Renewals,
  renew: (item: Item, leaves: Renewals) => Item,
): readonly Item[] {
  let renewed: Item[] | undefined
  for (let from = 0; from < leaves.length;) {
    const at = indexByKey(items, leaves[from]?.place.key ?? 0)
    const next = items[at + 1]?.key ?? Number.POSITIVE_INFINITY
    let to = from + 1
    while (to < leaves.length && (leaves[to]?.place.key ?? 0) < next) to++
    const item = items[at]
    const now = item === undefined ? undefined : renew(item, leaves.slice(from, to))
    if (now !== undefined && now !== item) {
      renewed ??= [...items]
      renewed[at] = now
    }
    from = to
  }
  return renewed ?? items
}

function inItem(item: ListItem, leaves: Renewals): ListItem {
  const children = inChunks(item.children, leaves, inBlock)
  return children === item.children ? item : { ...item, children }
}

function inFootnote(footnote: Footnote, leaves: Renewals): Footnote {
  const children = inChunks(footnote.children, leaves, inBlock)
  return children === footnote.children ? footnote : { ...footnote, children }
}

function inRow(row: TableRow, leaves: Renewals): TableRow {
  const mine = leaves.filter(({ place }) => place.key === row.key)
  if (mine.length === 0) return row
  const cells = [...row.cells]
  for (const { place, segments } of mine) if (place.column !== undefined) cells[place.column] = { segments }
  return { key: row.key, cells }
}

function inBlock(block: Block, leaves: Renewals): Block {
  switch (block.type) {
    case 'paragraph':
    case 'heading': {
      const leaf = leaves.find(({ place }) => place.key === block.key && place.column === undefined)
      return leaf === undefined ? block : { ...block, segments: leaf.segments }
    }
    case 'quote': {
      const children = inChunks(block.children, leaves, inBlock)
      return children === block.children ? block : { ...block, children }
    }
    case 'list': {
      const items = inChunks(block.items, leaves, inItem)
      return items === block.items ? block : { ...block, items }
    }
    case 'table': {
      const head = inRow(block.head, leaves)
      const rows = inChunks(block.rows, leaves, inRow)
      return head === block.head && rows === block.rows ? block : { ...block, head, rows }
    }
    default:
      return block
  }
}
