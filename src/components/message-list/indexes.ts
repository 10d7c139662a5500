/** The whole numbers `from` up to, not including, `to`; none below zero. */
export function indexes(from: number, to: number): readonly number[] {
  const start = Math.max(0, from)
  return Array.from({ length: Math.max(0, to - start) }, (_, at) => start + at)
}
