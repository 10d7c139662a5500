import type { Mark } from '../wire/wire-snapshot.ts'

/** What the picture of the connection draws at one place. */
export type WireSign = Mark['kind'] | 'replay'

export interface PlacedSign {
  readonly x: number
  readonly sign: WireSign
}

const STEP = 8.2
/** A broken connection is drawn with this much of its length for the part that is missing. */
const MISSING = 60

/** What is worth more is seen where several share a place. */
const WEIGHT: Readonly<Record<WireSign, number>> = {
  replay: 0,
  delta: 1,
  other: 1,
  event: 2,
  close: 3,
  warning: 4,
  error: 5,
  gap: 6,
  drop: 7,
}

/**
 * Lays a run out from the start side. Signs fill fixed places one by one; when there are more
 * signs than places they share them, so that nothing jitters and no drop is lost.
 */
export function layOut(
  marks: readonly Mark[],
  { from, to, short }: { readonly from: number; readonly to: number; readonly short: boolean },
): { placed: readonly PlacedSign[]; end: number } {
  const places = Math.floor((to - from - (short ? MISSING : 0)) / STEP)
  const crowd = Math.max(1, marks.length / places)
  const taken = new Map<number, WireSign>()
  for (const [index, mark] of marks.entries()) {
    const place = Math.floor(index / crowd)
    const sign = mark.replay === true ? 'replay' : mark.kind
    const there = taken.get(place)
    if (there === undefined || WEIGHT[sign] > WEIGHT[there]) taken.set(place, sign)
  }
  const placed = [...taken].map(([place, sign]) => ({ x: Math.round((from + place * STEP) * 10) / 10, sign }))
  return { placed, end: (placed.at(-1)?.x ?? from) + (marks.at(-1)?.kind === 'drop' ? 0 : 8) }
}
