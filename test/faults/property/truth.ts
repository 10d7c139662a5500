/** What the agent of a schedule says: sizes and places, from which the words follow. */
export interface AgentPlan {
  /** Streams that speak in turns. */
  readonly streams: 1 | 2
  /** Packets of each stream, CLOSE not counted. */
  readonly packets: number
  /** Milliseconds between two packets. */
  readonly paceMs: number
  /** Packets that are something else than text, by their place over all streams. */
  readonly asides: readonly Aside[]
  readonly ending: 'close' | 'fatal' | 'transient'
}

export interface Aside {
  readonly place: number
  readonly what: 'warning' | 'transient' | 'event'
  /** Of a TRANSIENT error, in seconds. */
  readonly retryAfter?: number | undefined
}

/** One packet of the server's log. */
export interface TruePacket {
  /** Milliseconds after the run began. */
  readonly at: number
  readonly stream: TrueStream
  readonly seq: number
  readonly op: 'DELTA' | 'EVENT' | 'ERROR' | 'CLOSE'
  readonly text: string
  readonly bytes: Uint8Array
}

/** One stream, whole: nothing else may ever be shown as its text. */
export interface TrueStream {
  readonly id: string
  readonly label: string
  text: string
  /** Length of the text of all packets up to and including a number; index 0 is 0. */
  readonly textUpTo: number[]
  warnings: number
}

export interface Truth {
  readonly streams: readonly TrueStream[]
  readonly packets: readonly TruePacket[]
}

const utf8 = new TextEncoder()
const WORDS = ['Flüsse', 'mäandern', 'über', '🌊', 'weite', 'Ebenen', '—', 'langsam', '𝄞', 'talwärts']

/**
 * The whole log of one run, made beforehand: when it is said only decides what of it a connection can carry yet.
 * @param label names the run in every word, so that a word shows where it belongs
 */
export function tellTruth(plan: AgentPlan, label: string, uuid: () => string): Truth {
  const streams: TrueStream[] = Array.from({ length: plan.streams }, (_, index) => ({
    id: uuid(),
    label: `${label}${'ab'[index]}`,
    text: '',
    textUpTo: [0],
    warnings: 0,
  }))
  const packets: TruePacket[] = []

  function say(stream: TrueStream, op: TruePacket['op'], p: unknown, text = ''): void {
    const seq = stream.textUpTo.length
    stream.text += text
    stream.textUpTo.push(stream.text.length)
    const frame = `id: ${stream.id}\nevent: stream.packet\ndata: ${JSON.stringify({ stream_id: stream.id, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
    packets.push({ at: packets.length * plan.paceMs, stream, seq, op, text, bytes: utf8.encode(frame) })
  }

  let place = 0
  for (let round = 0; round < plan.packets; round += 1) {
    for (const stream of streams) {
      const aside = plan.asides.find((candidate) => candidate.place === place)
      place += 1
      if (aside === undefined) {
        const text = `<${stream.label}:${round} ${WORDS[place % WORDS.length]}>`
        say(stream, 'DELTA', text, text)
      } else if (aside.what === 'event')
        say(stream, 'EVENT', {
          id: `${stream.id.slice(0, -4)}${String(9000 + place)}`,
          type: 'THOUGHT_TRACE',
          data: { thought: `thought ${place}` },
        })
      else {
        const severity = aside.what === 'warning' ? 'WARNING' : 'TRANSIENT'
        if (aside.what === 'warning') stream.warnings += 1
        const details = aside.retryAfter === undefined ? {} : { details: { retry_after: aside.retryAfter } }
        say(stream, 'ERROR', {
          code: aside.what,
          message: `${aside.what} ${stream.label}:${round}`,
          severity,
          ...details,
        })
      }
    }
  }
  for (const [index, stream] of streams.entries()) {
    if (index === 0 && plan.ending !== 'close')
      say(stream, 'ERROR', {
        code: plan.ending,
        message: `the end of ${stream.label}`,
        severity: plan.ending === 'fatal' ? 'FATAL' : 'TRANSIENT',
      })
    say(stream, 'CLOSE', 'finished')
  }
  return { streams, packets }
}
