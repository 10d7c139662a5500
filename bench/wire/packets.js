// The stream that is read: CAP packets as a server writes them, the same for the same seed.

// English as models write it: almost all ASCII, a dash or an accent now and then, some markdown.
const WORDS =
  `Rivers bend because the current runs faster on the outside of a curve than on the inside. The fast water wears
the bank away, and the slow water lays its sand and gravel down, so every small bend becomes a larger one. Over decades the
loop grows until its neck is thin, and then one flood is enough to cut through it — the old arm stays behind as a lake.
\n\n**What decides how wide a loop gets?**\n\n- the load: sand, silt and pebbles;\n- the slope of the valley floor;\n- how
firmly roots and clay hold the bank. A naïve map shows one blue line, but the channel may move by several metres in a year.
Measurements from 14 gauges (see table 3) agree with the model to within 8 percent, "good enough for planning" in the words of
the survey. If you need figures for a single reach, ask for the station name and the years, and I will look them up for you.`.split(
    /(?<=\s)/,
  )

/** A small generator of numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Packets of one run, its CLOSE included. */
const PACKETS_PER_RUN = 1000
const SHARE_OF_EVENTS = 0.03
const FIRST_INSTANT = Date.parse('2026-03-01T08:15:00Z')

/** What is measured: by name, the options of {@link makeStream}. */
export const CORPORA = {
  Z: {},
  '+00:00': { offset: '+00:00' },
  'one word': { mostWords: 1 },
}

/**
 * Makes so many packets: runs of 1,000, each a stream and its own answer; DELTAs of 1 to 8 words, three in a
 * hundred EVENTs (citations and progress), one CLOSE. Framed as the reference servers frame them, each run cut
 * into chunks of 1 to 4 kB that respect neither frames nor characters. Times end in `Z`, as the reference models write
 * them, or in `+00:00`, as Python's `isoformat` does.
 */
export function makeStream({ packets, seed = 1, lineEnding = '\n', offset = 'Z', mostWords = 8 }) {
  const random = seededRandom(seed)
  const payloads = []
  const runs = []
  const counts = { DELTA: 0, EVENT: 0, CLOSE: 0 }
  let text = ''
  let frames = ''
  let streamId = ''
  for (let index = 0; index < packets; index += 1) {
    const place = index % PACKETS_PER_RUN
    if (place === 0) streamId = uuid(random)
    const instant = `${new Date(FIRST_INSTANT + index * 37).toISOString().slice(0, 23)}${digits(random, 3)}${offset}`
    const isLast = place === PACKETS_PER_RUN - 1 || index === packets - 1
    const { op, p } = isLast ? { op: 'CLOSE', p: 'finished' } : say(random, instant, mostWords)
    const payload = JSON.stringify({ stream_id: streamId, seq: place + 1, op, t: instant, p })
    if (typeof p === 'string' && op === 'DELTA') text += p
    counts[op] += 1
    payloads.push(flat(payload))
    frames += `id: ${streamId}${lineEnding}event: stream.packet${lineEnding}data: ${payload}${lineEnding}${lineEnding}`
    if (isLast) {
      runs.push(cut(new TextEncoder().encode(frames), random))
      frames = ''
    }
  }
  const chunks = runs.flat()
  return { runs, chunks, payloads, counts, text, bytes: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0) }
}

/** One DELTA whose line is so many bytes long, in chunks of 16 kB. */
export function makeLongLine(bytes) {
  const head =
    'data: {"stream_id":"5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90","seq":1,"op":"DELTA","t":"2026-03-01T08:15:01Z","p":"'
  const tail = '"}'
  const line = new TextEncoder().encode(`${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}\n\n`)
  return Array.from({ length: Math.ceil(line.byteLength / 16_384) }, (_, index) =>
    line.slice(index * 16_384, (index + 1) * 16_384),
  )
}

function say(random, instant, mostWords) {
  if (random() >= SHARE_OF_EVENTS) return { op: 'DELTA', p: words(random, 1 + Math.floor(random() * mostWords)) }
  const data =
    random() < 0.5
      ? {
          label: `Reading ${words(random, 2).trim()}`,
          status: random() < 0.5 ? 'running' : 'complete',
          progress_percent: Math.floor(random() * 100) / 100,
        }
      : {
          citations: Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => ({
            source_id: `source-${index}`,
            uri: `https://rivers.example/${digits(random, 6)}`,
            title: words(random, 3).trim(),
            snippet: words(random, 12).trim(),
            confidence: Math.floor(random() * 100) / 100,
          })),
        }
  return {
    op: 'EVENT',
    p: { id: uuid(random), timestamp: instant, type: 'label' in data ? 'PROGRESS_INDICATOR' : 'CITATION_BLOCK', data },
  }
}

function words(random, count) {
  let said = ''
  for (let word = 0; word < count; word += 1) said += WORDS[Math.floor(random() * WORDS.length)]
  return said
}

function digits(random, count) {
  return String(Math.floor(random() * 10 ** count)).padStart(count, '0')
}

function uuid(random) {
  const hex = Array.from({ length: 32 }, (_, place) =>
    place === 12 ? '4' : place === 16 ? '8' : Math.floor(random() * 16).toString(16),
  ).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** JSON.stringify leaves a rope; text from a network is one piece. */
function flat(text) {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}

function cut(bytes, random) {
  const chunks = []
  for (let at = 0; at < bytes.byteLength;) {
    const size = 1024 + Math.floor(random() * 3072)
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}
