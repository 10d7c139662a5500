/** The slope of heap over time is read after this share of the samples: before it, caches fill and code is compiled. */
const WARM_UP = 1 / 3
const BYTES_PER_MB = 1_000_000
const MS_PER_HOUR = 3_600_000

/** The highest slope of a heap that passes, in MB per hour. */
export const MOST_MB_PER_HOUR = 1
/** What a count may differ by between the beginning and the end, beside 2 %: a timer or a connection that happens to be open. */
const SPARE = 3

/** The slope of the line with the least squares through points `[x, y]`. 0 for fewer than two points. */
export function slopeOf(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  if (points.length < 2) return 0
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread
}

function median(values) {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Whether a count is higher at the end than at the beginning, by medians of a third of the values each. */
export function isGrowing(values) {
  const third = Math.max(1, Math.floor(values.length / 3))
  const [before, after] = [median(values.slice(0, third)), median(values.slice(-third))]
  return after > before * 1.02 + SPARE
}

/**
 * What samples say: `{ atMs, heap, counts: { name: number } }[]`, heap in bytes.
 * Returns the slope of the heap in MB per hour after warm-up and the names of counts that grow.
 */
export function judge(samples) {
  const steady = samples.slice(Math.floor(samples.length * WARM_UP))
  const mbPerHour = (slopeOf(steady.map(({ atMs, heap }) => [atMs, heap])) * MS_PER_HOUR) / BYTES_PER_MB
  const growing = Object.keys(samples[0]?.counts ?? {}).filter((name) =>
    isGrowing(steady.map(({ counts }) => counts[name])),
  )
  return {
    mbPerHour,
    growing,
    samples: steady.length,
    passed: steady.length > 1 && mbPerHour <= MOST_MB_PER_HOUR && growing.length === 0,
  }
}
