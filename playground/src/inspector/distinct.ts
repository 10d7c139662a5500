/** One of all that would be drawn in the same place, the last of them; React tells what is drawn apart by these keys too. */
export function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string | number): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
