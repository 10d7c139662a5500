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
  /** `prompt`: asks the user something; the next one on that stream says that it was answered. */
  readonly what: 'warning' | 'transient' | 'event' | 'prompt'
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

/** One question of the agent. In the log somebody else has answered it, unless this page is faster. */
export interface TruePrompt {
  readonly id: string
  /** Milliseconds after the run began; from then on the log says who has answered. */
  settledAt: number
  /** The answer of this page that the agent has taken. */
  takenId: string | undefined
  /** Writes an answer of this page into the log. */
  take: (answerId: string) => void
}

export interface Truth {
  readonly streams: readonly TrueStream[]
  readonly prompts: readonly TruePrompt[]
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
  const prompts: TruePrompt[] = []
  /** By stream: what waits for an answer. */
  const open = new Map<TrueStream, (TruePrompt & { readonly otherId: string }) | undefined>()

  function say(stream: TrueStream, op: TruePacket['op'], p: unknown, text = ''): void {
    const seq = stream.textUpTo.length
    stream.text += text
    stream.textUpTo.push(stream.text.length)
    const frame = `id: ${stream.id}\nevent: stream.packet\ndata: ${JSON.stringify({ stream_id: stream.id, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
    packets.push({ at: packets.length * plan.paceMs, stream, seq, op, text, bytes: utf8.encode(frame) })
  }

  const event = (stream: TrueStream, id: string, data: object): void =>
    say(stream, 'EVENT', { id, timestamp: '2026-03-01T08:15:00Z', type: 'PROMPT', data })

  function ask(stream: TrueStream): void {
    const [id, otherId] = [uuid(), uuid()]
    const prompt: TruePrompt & { readonly otherId: string } = {
      id,
      otherId,
      settledAt: Infinity,
      takenId: undefined,
      take: () => {},
    }
    open.set(stream, prompt)
    prompts.push(prompt)
    const options = [{ id: 'yes', label: 'Yes', kind: 'neutral' }]
    event(stream, id, { state: 'open', kind: 'choice', message: `May ${stream.label} go on?`, options })
  }

  function settle(stream: TrueStream): void {
    const prompt = open.get(stream)
    if (prompt === undefined) return ask(stream)
    open.set(stream, undefined)
    const answer = { type: 'option', option_id: 'yes' }
    event(stream, prompt.id, { state: 'answered', answer_id: prompt.otherId, answer })
    const packet = packets.at(-1)
    if (packet === undefined) return
    prompt.settledAt = packet.at
    prompt.take = (answerId) => {
      prompt.takenId = answerId
      // All ids have the same length, so that what follows in the log stays where it is.
      packet.bytes.set(utf8.encode(answerId), Buffer.from(packet.bytes).indexOf(prompt.otherId))
    }
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
      else if (aside.what === 'prompt') settle(stream)
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
    if (open.get(stream) !== undefined) settle(stream)
    say(stream, 'CLOSE', 'finished')
  }
  return { streams, prompts, packets }
}
