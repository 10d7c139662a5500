import type { Mark } from '../wire/wire-snapshot.ts'

export interface PlacedMark {
  readonly x: number
  readonly mark: Mark
}

const STEP = 8.2
/** A broken line keeps this much of its length for the part that is missing. */
const MISSING = 60

/** What is worth more is seen where several marks share a place. */
const WEIGHT: Readonly<Record<Mark, number>> = { packet: 0, duplicate: 1, gap: 2, drop: 3 }

/**
 * Puts a run on the line from the start side. Marks fill fixed places one by one; when there are more
 * marks than places they share them, so that nothing jitters and no drop is lost.
 */
export function layOut(marks: readonly Mark[], { from, to, short }: { readonly from: number; readonly to: number; readonly short: boolean }): { placed: readonly PlacedMark[]; end: number } {
  const places = Math.floor((to - from - (short ? MISSING : 0)) / STEP)
  const crowd = Math.max(1, marks.length / places)
  const taken = new Map<number, Mark>()
  for (const [index, mark] of marks.entries()) {
    const place = Math.floor(index / crowd)
    const there = taken.get(place)
    if (there === undefined || WEIGHT[mark] > WEIGHT[there]) taken.set(place, mark)
  }
  const placed = [...taken].map(([place, mark]) => ({ x: Math.round((from + place * STEP) * 10) / 10, mark }))
  return { placed, end: (placed.at(-1)?.x ?? from) + (marks.at(-1) === 'drop' ? 0 : 8) }
}
