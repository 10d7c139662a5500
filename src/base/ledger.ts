import type { AgentError } from './agent-error.ts'

/** Read position and state of one stream. */
export interface StreamState {
  /** The highest number so far; undefined without numbers. */
  seq: number | undefined
  /** Names of the frames so far, the latest last; absent without names. */
  ids?: readonly string[] | undefined
  state: 'open' | 'closed' | 'failed'
  /** The error that ended the stream; before its end, the last TRANSIENT error, until new content follows. */
  error?: AgentError | undefined
}

/** The fields of a packet that the ledger reads. */
export interface NumberedPacket {
  readonly streamId: string
  /** Absent: it is not deduplicated by number. */
  readonly seq?: number | undefined
  /** Its name. Absent: it is not deduplicated by name. */
  readonly id?: string | undefined
  /** The last one of its stream. */
  readonly closes: boolean
}

/** `restarted`: the sender has lost its record and begun the answer again. */
export type LedgerVerdict = 'duplicate' | 'new' | 'gap' | 'restarted'

export interface Judgement {
  readonly verdict: LedgerVerdict
  /** The numbers between this one and that of the packet are missing. */
  readonly missingAfter?: number | undefined
}

/** Deduplication ledger: the numbers seen of each stream. It reads no clock and sends nothing. */
export interface Ledger {
  /**
   * Classifies a packet without recording it.
   * @param firstOfResume it is the first packet of a connection that resumes
   */
  judge(packet: NumberedPacket, firstOfResume: boolean): Judgement
  /** Records a packet that is not a duplicate, and returns its stream. A restart removes all earlier streams. */
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
/** Names of frames that are kept per stream: what a server repeats after a reconnect is at the end of what it has sent. */
const KEPT_IDS = 1024

/**
 * @param streams all it knows, by stream id in order of appearance: written to as it continues
 * @param firstSeq the number that a stream begins with at the latest; a higher one is a gap
 * @default firstSeq any number
 */
export function createLedger(streams: Map<string, StreamState>, firstSeq = Infinity): Ledger {
  // Checked after every chunk, so it is a counter and not a search.
  const counts: Record<StreamState['state'], number> = { open: 0, closed: 0, failed: 0 }
  for (const { state } of streams.values()) counts[state] += 1

  return {
    judge({ streamId, seq, id, closes }, firstOfResume) {
      const known = streams.get(streamId)
      if (known === undefined) {
        const missingAfter = seq !== undefined && seq > firstSeq ? firstSeq - 1 : undefined
        if (firstOfResume && counts.open > 0) return { verdict: 'restarted', missingAfter }
        return missingAfter === undefined ? NEW : { verdict: 'gap', missingAfter }
      }
      if (known.state === 'closed' || (known.state === 'failed' && !closes)) return DUPLICATE
      if (id !== undefined && known.ids?.includes(id) === true) return DUPLICATE
      if (seq === undefined || known.seq === undefined) return NEW
      if (seq <= known.seq) return DUPLICATE
      return seq > known.seq + 1 ? { verdict: 'gap', missingAfter: known.seq } : NEW
    },
    record({ streamId, seq, id }, { verdict }) {
      if (verdict === 'restarted') {
        streams.clear()
        counts.open = counts.closed = counts.failed = 0
      }
      const known = streams.get(streamId)
      if (known !== undefined) {
        known.seq = seq ?? known.seq
        if (id !== undefined) known.ids = [...(known.ids ?? []).slice(1 - KEPT_IDS), id]
        return known
      }
      const stream: StreamState = id === undefined ? { seq, state: 'open' } : { seq, ids: [id], state: 'open' }
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
