/** Words over the connection, and how they are to be taken. */
export interface Caption {
  readonly x: number
  readonly text: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly tone: 'plain' | 'bad'
}

/** Wide enough for the small print of the timeline in any of its faces. */
const CHARACTER = 6.2
const AIR = 8

/** Keeps those that have space, the most telling first. None is over an edge. */
export function captionsWithRoom(wanted: readonly Caption[], left: number, right: number): readonly Caption[] {
  const kept: { readonly caption: Caption; readonly from: number; readonly to: number }[] = []
  for (const caption of wanted) {
    const width = caption.text.length * CHARACTER
    const shift = caption.anchor === 'start' ? 0 : caption.anchor === 'end' ? width : width / 2
    const from = Math.max(left, Math.min(caption.x - shift, right - width))
    if (from < left - 1 || kept.some((other) => from < other.to + AIR && other.from < from + width + AIR)) continue
    kept.push({ caption: { ...caption, x: Math.round(from), anchor: 'start' }, from, to: from + width })
  }
  return kept.map(({ caption }) => caption)
}
