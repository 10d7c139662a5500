import type { InlineSegment } from '../tree/tree.ts'

/** How long a stretch is at least, in UTF-16 code units. */
const STRETCH = 4096

type Segments = readonly InlineSegment[]

/** Gives the stretches of a text that grows. Those behind which another has begun stay the same lists, and are not looked at again. */
export function createTextStretches(): (segments: Segments) => readonly Segments[] {
  let before: Segments = []
  let stretches: readonly Segments[] = []

  return (segments) => {
    let same = 0
    while (same < before.length && segments[same] === before[same]) same += 1
    before = segments
    return (stretches = cutOn(segments, stretches, same))
  }
}

/**
 * Cuts after a blank. Where it cuts depends on what is before, so that no segment changes its stretch while text comes.
 *
 * @param known stretches that are right for the first `same` segments
 */
function cutOn(segments: Segments, known: readonly Segments[], same: number): readonly Segments[] {
  const all: Segments[] = []
  let at = 0
  for (const stretch of known) {
    // Whether one ends here depends on what is behind it.
    if (at + stretch.length >= same) break
    all.push(stretch)
    at += stretch.length
  }
  let open: InlineSegment[] = []
  for (const segment of segments.slice(at)) {
    const [first] = open
    if (!first || (segment.key - first.key >= STRETCH && endsWithBlank(segments[at - 1]))) all.push((open = []))
    open.push(segment)
    at += 1
  }
  return all
}

function endsWithBlank(segment: InlineSegment | undefined): boolean {
  const last = segment?.children.at(-1)
  return last?.type === 'text' && last.text.endsWith(' ')
}
