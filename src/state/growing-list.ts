/** A list that grows often and is read seldom. */
export interface GrowingList<Item> {
  push(item: Item): void
  /** All items as an immutable list: the same one until there is a new item. */
  readonly items: readonly Item[]
}

/** Makes a list that is copied when it is read, not when an item comes. */
export function createGrowingList<Item>(initial: readonly Item[] = []): GrowingList<Item> {
  let items = initial
  let added: Item[] = []
  return {
    push: (item) => void added.push(item),
    get items() {
      if (added.length > 0) items = [...items, ...added]
      added = []
      return items
    },
  }
}
