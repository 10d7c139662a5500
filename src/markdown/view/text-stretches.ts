import type { InlineSegment } from '../tree/tree.ts'

/** How long a stretch is at least, in UTF-16 code units. */
const STRETCH = 4096

type Segments = readonly InlineSegment[]

/** The stretches of a text that grows. What is the same as before is not looked at again, and stays the same list. */
export interface TextStretches {
  cut(segments: Segments): readonly Segments[]
}

export function createTextStretches(): TextStretches {
  let before: Segments = []
  let stretches: readonly Segments[] = []

  return {
    cut(segments) {
      if (segments !== before) stretches = cutOn(segments, stretches, sameAtStart(segments, before))
      before = segments
      return stretches
    },
  }
}

function sameAtStart(segments: Segments, before: Segments): number {
  let same = 0
  while (same < before.length && segments[same] === before[same]) same += 1
  return same
}

/**
 * Cuts after a blank. Where it cuts depends on what is before, so that no segment changes its stretch while text comes.
 *
 * @param known stretches that are right for the first `same` segments
 */
function cutOn(segments: Segments, known: readonly Segments[], same: number): readonly Segments[] {
  if ((segments.at(-1)?.key ?? 0) < STRETCH) return [segments]
  const kept: Segments[] = []
  let at = 0
  for (const stretch of known) {
    if (at + stretch.length > same) break
    kept.push(stretch)
    at += stretch.length
  }
  // Whether the last of them goes on depends on what comes behind it.
  const last = (at === same && kept.pop()) || []
  const all: InlineSegment[][] = []
  let open: InlineSegment[] = [...last]
  if (open.length > 0) all.push(open)
  for (; at < segments.length; at += 1) {
    const segment = segments[at]
    if (segment === undefined) break
    const text = segments[at - 1]?.children.at(-1)
    const isLong = segment.key - (open[0]?.key ?? 0) >= STRETCH
    if (open.length > 0 && !(isLong && text?.type === 'text' && text.text.endsWith(' '))) open.push(segment)
    else all.push((open = [segment]))
  }
  const [first, ...others] = all
  return [...kept, ...(first === undefined ? [] : [first.length === last.length ? last : first]), ...others]
}
