import type { AgentError } from '../base/agent-error.ts'
import type { AgentEvent } from '../protocols/agent-event.ts'
import type { Cursor, Delivery } from '../protocols/protocol.ts'

/** What to make of a delivery: the events to pass on, in order. None for a duplicate. */
export type Verdict = 'duplicate' | 'new' | 'gap' | 'restarted'

export interface Admission {
  readonly verdict: Verdict
  readonly events: readonly AgentEvent[]
}

/** How far one stream was read, and how it stands. */
export interface StreamState {
  seq: number | undefined
  state: 'open' | 'closed' | 'failed'
  /** What ended it; before that, the TRANSIENT error said last, while nothing new has followed it. */
  error?: AgentError | undefined
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
  /** Whether every stream has said its last word, of those that have spoken. */
  readonly hasSettled: boolean
  /** The error that ended a stream: the first stream's, if several failed. */
  readonly failure: AgentError | undefined
}

const DUPLICATE: Admission = { verdict: 'duplicate', events: [] }

/** The first number of a stream (row 6: 1 by the examples, 0 admitted). */
const HIGHEST_FIRST_SEQ = 1

/** @param streams all it knows, by stream id in order of appearance: written to as it goes on */
export function createStreamLedger(streams: Map<string, StreamState>): StreamLedger {
  // Asked after every chunk: counted, not looked for.
  const counts: Record<StreamState['state'], number> = { open: 0, closed: 0, failed: 0 }
  for (const { state } of streams.values()) counts[state] += 1

  function move(stream: StreamState, state: StreamState['state']): void {
    counts[stream.state] -= 1
    counts[state] += 1
    stream.state = state
  }

  function begin(cursor: Cursor, firstOfResume: boolean): { verdict: Verdict; stream: StreamState; marks: AgentEvent[] } {
    const marks: AgentEvent[] = []
    let verdict: Verdict = 'new'
    if (firstOfResume && counts.open > 0) {
      verdict = 'restarted'
      streams.clear()
      counts.open = counts.closed = counts.failed = 0
      marks.push({ type: 'diagnostic', diagnostic: { kind: 'restarted', streamId: cursor.streamId } })
    }
    if (cursor.seq !== undefined && cursor.seq > HIGHEST_FIRST_SEQ) {
      if (verdict === 'new') verdict = 'gap'
      marks.push(gap(cursor.streamId, 0, cursor.seq))
    }
    const stream: StreamState = { seq: cursor.seq, state: 'open' }
    streams.set(cursor.streamId, stream)
    counts.open += 1
    return { verdict, stream, marks }
  }

  /** Writes the event down and says which event to pass on in its place. */
  function record(stream: StreamState, { event, progress }: Delivery): AgentEvent | undefined {
    if (event.type === 'stream-closed') {
      if (stream.state === 'failed') return undefined
      // Closed with nothing said after a TRANSIENT error: that error was the end, not a pause.
      const { error } = stream
      move(stream, error === undefined ? 'closed' : 'failed')
      return error === undefined ? event : { type: 'stream-failed', streamId: event.streamId, error }
    }
    if (event.type === 'stream-failed') move(stream, 'failed')
    if (event.type === 'stream-failed' || event.type === 'stream-interrupted') stream.error = event.error
    else if (progress) stream.error = undefined
    return event
  }

  return {
    admit(delivery, firstOfResume) {
      const { cursor, event } = delivery
      if (cursor === undefined) return { verdict: 'new', events: [event] }
      const known = streams.get(cursor.streamId)
      if (known === undefined) {
        const { verdict, stream, marks } = begin(cursor, firstOfResume)
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
    get hasSettled() {
      return streams.size > 0 && counts.open === 0
    },
    get failure() {
      if (counts.failed === 0) return undefined
      return [...streams.values()].find(({ state }) => state === 'failed')?.error
    },
  }
}

function gap(streamId: string, after: number, before: number): AgentEvent {
  return { type: 'diagnostic', diagnostic: { kind: 'gap', streamId, after, before } }
}
