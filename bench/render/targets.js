const kept = []

/**
 * @param sense how the figure relates to its limit
 * @param raw the same figure of the raw page: where that misses as well, the machine had no time for anybody
 */
export function target(name, value, limit, { sense = 'at most', raw } = {}) {
  // Frames of 16.7 ms and 1/6 are what they are: half a per cent is the clock's.
  const meets = (figure) => (sense === 'at most' ? figure <= limit * 1.005 : figure >= limit * 0.995)
  const missed = raw === undefined || meets(raw) ? 'MISSED' : `missed, and by raw DOM: ${show(raw)}`
  kept.push({
    target: name,
    measured: show(value),
    limit: `${sense} ${show(limit)}`,
    verdict: meets(value) ? 'met' : missed,
  })
}

export function printTargets() {
  if (kept.length > 0) console.table(kept)
}

function show(value) {
  return value < 1 && value !== 0 ? value.toFixed(3) : value.toFixed(2)
}
