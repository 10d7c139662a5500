import type { DelimiterRun } from './piece.ts'

/** Index below which there is no opener, by kind of closer. It keeps the search linear. */
export type Floors = Map<string, number>

/**
 * Pairs closers with openers, from the run `next` on; openers are looked for down to the run `bottom`. Runs that can still open
 * something stay in `runs`, all others leave it.
 */
export function matchRuns(runs: DelimiterRun[], bottom: number, next: number, floors: Floors): void {
  let kept = next
  for (const closer of runs.slice(next)) {
    while (closer.canClose && closer.left > 0) {
      const kind = closer.char + closer.canOpen + (closer.length % 3)
      const opener = findOpener(runs, kept, bottom, closer, floors.get(kind) ?? 0)
      if (opener < 0) {
        floors.set(kind, closer.at)
        break
      }
      kept = opener + pair(runs[opener], closer)
    }
    if (closer.canOpen && closer.left > 0) runs[kept++] = closer
  }
  runs.length = kept
}

function findOpener(
  runs: readonly DelimiterRun[],
  top: number,
  bottom: number,
  closer: DelimiterRun,
  floor: number,
): number {
  for (let at = top - 1; at >= bottom; at--) {
    const opener = runs[at]
    if (opener === undefined || opener.at < floor) return -1
    if (opener.char === closer.char && fits(opener, closer)) return at
  }
  return -1
}

function fits(opener: DelimiterRun, closer: DelimiterRun): boolean {
  if (closer.char === '~') return opener.length === closer.length
  return !(opener.canClose || closer.canOpen) || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0
}

/** 1 when the opener has marks left. */
function pair(opener: DelimiterRun | undefined, closer: DelimiterRun): 0 | 1 {
  if (opener === undefined) return 0
  const marks = Math.min(opener.left, closer.left, 2)
  opener.left -= marks
  closer.left -= marks
  opener.opens.push(marks)
  closer.closes.push(marks)
  return opener.left > 0 ? 1 : 0
}
