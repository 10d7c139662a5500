const kept = []

/** @param sense how the figure has to stand to its limit */
export function target(name, value, limit, sense = 'at most') {
  // Frames of 16.7 ms and 1/6 are what they are: half a per cent is the clock's.
  const met = sense === 'at most' ? value <= limit * 1.005 : value >= limit * 0.995
  kept.push({ target: name, measured: show(value), limit: `${sense} ${show(limit)}`, verdict: met ? 'met' : 'MISSED' })
}

export function printTargets() {
  if (kept.length > 0) console.table(kept)
}

function show(value) {
  return value < 1 && value !== 0 ? value.toFixed(3) : value.toFixed(2)
}
