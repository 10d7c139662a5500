import type { AgentError } from '../base/agent-error.ts'
import type { AgentEvent } from '../protocols/agent-event.ts'
import type { Cursor, Delivery } from '../protocols/protocol.ts'

/** What to make of a delivery: the events to pass on, in order. None for a duplicate. */
export type Verdict = 'duplicate' | 'new' | 'gap' | 'restarted'

export interface Admission {
  readonly verdict: Verdict
  readonly events: readonly AgentEvent[]
}

interface Stream {
  seq: number | undefined
  state: 'open' | 'closed' | 'failed'
  /** The TRANSIENT error said last, while nothing new has followed it. */
  interruption: AgentError | undefined
}

/** How far a run has been read, per stream: what makes a resumed line exact. */
export interface StreamLedger {
  /**
   * Judges one delivery against what is known and writes it down (CAP section 7, rows 2, 4, 5, 8).
   * @param firstOfResume it is the first delivery with a cursor on a line that resumes
   */
  admit(delivery: Delivery, firstOfResume: boolean): Admission
  /** Streams as a protocol wants them when it opens the next line. */
  cursors(): readonly Cursor[]
  readonly size: number
  readonly open: number
  /** The first error that ended a stream. */
  readonly failure: AgentError | undefined
}

const DUPLICATE: Admission = { verdict: 'duplicate', events: [] }

/** The first number of a stream (row 6: 1 by the examples, 0 admitted). */
const HIGHEST_FIRST_SEQ = 1

export function createStreamLedger(): StreamLedger {
  const streams = new Map<string, Stream>()
  let open = 0
  let failure: AgentError | undefined

  function begin(cursor: Cursor, firstOfResume: boolean): { verdict: Verdict; stream: Stream; marks: AgentEvent[] } {
    const marks: AgentEvent[] = []
    let verdict: Verdict = 'new'
    if (firstOfResume && open > 0) {
      verdict = 'restarted'
      streams.clear()
      open = 0
      failure = undefined
      marks.push({ type: 'diagnostic', diagnostic: { kind: 'restarted', streamId: cursor.streamId } })
    }
    if (cursor.seq !== undefined && cursor.seq > HIGHEST_FIRST_SEQ) {
      if (verdict === 'new') verdict = 'gap'
      marks.push(gap(cursor.streamId, 0, cursor.seq))
    }
    const stream: Stream = { seq: undefined, state: 'open', interruption: undefined }
    streams.set(cursor.streamId, stream)
    open += 1
    return { verdict, stream, marks }
  }

  function settle(stream: Stream, state: 'closed' | 'failed', error?: AgentError): void {
    if (stream.state === 'open') open -= 1
    stream.state = state
    if (state === 'failed') failure ??= error
  }

  /** Writes the event down and says which event to pass on in its place. */
  function record(stream: Stream, { event, progress }: Delivery): AgentEvent | undefined {
    if (event.type === 'stream-failed') settle(stream, 'failed', event.error)
    if (event.type === 'stream-closed') {
      if (stream.state === 'failed') return undefined
      // Closed with nothing said after a TRANSIENT error: that error was the end, not a pause.
      const error = stream.interruption
      settle(stream, error === undefined ? 'closed' : 'failed', error)
      return error === undefined ? event : { type: 'stream-failed', streamId: event.streamId, error }
    }
    if (event.type === 'stream-interrupted') stream.interruption = event.error
    else if (progress) stream.interruption = undefined
    return event
  }

  return {
    admit(delivery, firstOfResume) {
      const { cursor, event } = delivery
      if (cursor === undefined) return { verdict: 'new', events: [event] }
      const known = streams.get(cursor.streamId)
      if (known === undefined) {
        const { verdict, stream, marks } = begin(cursor, firstOfResume)
        stream.seq = cursor.seq
        const passed = record(stream, delivery)
        if (passed !== undefined) marks.push(passed)
        return { verdict, events: marks }
      }
      if (known.state === 'closed' || (known.state === 'failed' && event.type !== 'stream-closed')) return DUPLICATE
      let missing: AgentEvent | undefined
      if (cursor.seq !== undefined && known.seq !== undefined) {
        if (cursor.seq <= known.seq) return DUPLICATE
        if (cursor.seq > known.seq + 1) missing = gap(cursor.streamId, known.seq, cursor.seq)
      }
      known.seq = cursor.seq ?? known.seq
      const passed = record(known, delivery)
      if (missing !== undefined) return { verdict: 'gap', events: passed === undefined ? [missing] : [missing, passed] }
      return { verdict: 'new', events: passed === undefined ? [] : [passed] }
    },
    cursors: () => [...streams].map(([streamId, { seq }]) => ({ streamId, seq })),
    get size() {
      return streams.size
    },
    get open() {
      return open
    },
    get failure() {
      return failure
    },
  }
}

function gap(streamId: string, after: number, before: number): AgentEvent {
  return { type: 'diagnostic', diagnostic: { kind: 'gap', streamId, after, before } }
}
