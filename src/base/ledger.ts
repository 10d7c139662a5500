import type { AgentError } from './agent-error.ts'

/** How far one stream was read, and how it stands. */
export interface StreamState {
  /** The highest number so far; undefined without numbers. */
  seq: number | undefined
  state: 'open' | 'closed' | 'failed'
  /** What ended it; before that, the TRANSIENT error said last, while nothing new has followed it. */
  error?: AgentError | undefined
}

/** What a ledger has to know of a packet, whatever else is in it. */
export interface NumberedPacket {
  readonly streamId: string
  /** Absent: it is not deduplicated by number. */
  readonly seq?: number | undefined
  /** The last one of its stream. */
  readonly closes: boolean
}

/** `restarted`: the sender has lost its record and begun the answer again. */
export type Verdict = 'duplicate' | 'new' | 'gap' | 'restarted'

export interface Judgement {
  readonly verdict: Verdict
  /** The numbers between this one and that of the packet are missing. */
  readonly missingAfter?: number | undefined
}

/** Deduplication ledger: the numbers seen of each stream. It reads no clock and sends nothing. */
export interface Ledger {
  /**
   * Says what a packet is, and writes nothing down.
   * @param firstOfResume it is the first packet of a connection that resumes
   */
  judge(packet: NumberedPacket, firstOfResume: boolean): Judgement
  /** Writes down a packet that is no duplicate, and gives its stream. A restart forgets all streams before it. */
  record(packet: NumberedPacket, judgement: Judgement): StreamState
  /** Ends a stream. */
  end(stream: StreamState, state: 'closed' | 'failed'): void
  /** Whether every stream has ended, of those that have begun. */
  readonly hasSettled: boolean
  /** The error that ended a stream: the first stream's, if several failed. */
  readonly failure: AgentError | undefined
}

const DUPLICATE: Judgement = { verdict: 'duplicate' }
const NEW: Judgement = { verdict: 'new' }

/**
 * @param streams all it knows, by stream id in order of appearance: written to as it goes on
 * @param firstSeq the number that a stream begins with at the latest; a higher one is a gap
 * @default firstSeq any number
 */
export function createLedger(streams: Map<string, StreamState>, firstSeq = Infinity): Ledger {
  // Asked after every chunk: counted, not looked for.
  const counts: Record<StreamState['state'], number> = { open: 0, closed: 0, failed: 0 }
  for (const { state } of streams.values()) counts[state] += 1

  return {
    judge({ streamId, seq, closes }, firstOfResume) {
      const known = streams.get(streamId)
      if (known === undefined) {
        const missingAfter = seq !== undefined && seq > firstSeq ? firstSeq - 1 : undefined
        if (firstOfResume && counts.open > 0) return { verdict: 'restarted', missingAfter }
        return missingAfter === undefined ? NEW : { verdict: 'gap', missingAfter }
      }
      if (known.state === 'closed' || (known.state === 'failed' && !closes)) return DUPLICATE
      if (seq === undefined || known.seq === undefined) return NEW
      if (seq <= known.seq) return DUPLICATE
      return seq > known.seq + 1 ? { verdict: 'gap', missingAfter: known.seq } : NEW
    },
    record({ streamId, seq }, { verdict }) {
      if (verdict === 'restarted') {
        streams.clear()
        counts.open = counts.closed = counts.failed = 0
      }
      const known = streams.get(streamId)
      if (known !== undefined) {
        known.seq = seq ?? known.seq
        return known
      }
      const stream: StreamState = { seq, state: 'open' }
      streams.set(streamId, stream)
      counts.open += 1
      return stream
    },
    end(stream, state) {
      counts[stream.state] -= 1
      counts[state] += 1
      stream.state = state
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
