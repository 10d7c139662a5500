/** For each text its place among those that look the same, from 1. Undefined: no other looks so. */
export function numberTwins(texts: readonly string[]): readonly (number | undefined)[] {
  const looks = texts.map((text) =>
    text
      .normalize('NFKC')
      .replaceAll(/[\u200C\u200D]/g, '')
      .toLowerCase(),
  )
  const counts = new Map<string, number>()
  for (const look of looks) counts.set(look, (counts.get(look) ?? 0) + 1)
  const seen = new Map<string, number>()
  return looks.map((look) => {
    if (counts.get(look) === 1) return undefined
    const place = (seen.get(look) ?? 0) + 1
    seen.set(look, place)
    return place
  })
}
