import type { Chunk, Chunks } from '../tree/tree.ts'

interface Keyed {
  readonly key: number
}

/** How many items a chunk holds. */
const SIZE = 16

/** With one more item; chunks that are full stay the same objects. */
export function withItem<Item extends Keyed>(chunks: Chunks<Item>, item: Item): Chunks<Item> {
  const last = chunks.at(-1)
  if (last === undefined || last.items.length >= SIZE) return [...chunks, { key: item.key, items: [item] }]
  return withLast(chunks, { key: last.key, items: [...last.items, item] })
}

/** With another item in place of the last. */
export function withLastItem<Item extends Keyed>(chunks: Chunks<Item>, item: Item): Chunks<Item> {
  const last = chunks.at(-1)
  const items = last === undefined ? [item] : [...last.items.slice(0, -1), item]
  return withLast(chunks, { key: last?.key ?? item.key, items })
}

function withLast<Item>(chunks: Chunks<Item>, last: Chunk<Item>): Chunks<Item> {
  const copy = chunks.slice()
  copy[Math.max(0, copy.length - 1)] = last
  return copy
}

/** With some more items. */
export function withItems<Item extends Keyed>(chunks: Chunks<Item>, more: readonly Item[]): Chunks<Item> {
  if (more.length === 1 && more[0] !== undefined) return withItem(chunks, more[0])
  const items = [...(chunks.at(-1)?.items ?? []), ...more]
  const joined: Chunk<Item>[] = chunks.slice(0, -1)
  for (let at = 0; at < items.length; at += SIZE) {
    const some = items.slice(at, at + SIZE)
    joined.push({ key: some[0]?.key ?? 0, items: some })
  }
  return joined
}

/** Which of things in ascending order holds `key`: the last that does not begin behind it; -1 when all do. */
export function indexByKey(items: readonly Keyed[], key: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.key ?? 0) <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}
