import type { StreamState } from '../base/ledger.ts'
import type { RunOutcome } from '../seam/agent-event.ts'

/** Read position of a run over all its connections. With a copy of it another session can resume the run. */
export interface ResumePoint {
  /** By stream id, in order of appearance. */
  readonly streams: Map<string, StreamState>
  /** What the protocol wants to remember of the run; see `Batch.handle`. */
  handle?: unknown
  /** How the last of its streams ended. A run that is restored between that and its end still ends so. Absent: none has said. */
  outcome?: RunOutcome | undefined
  /** Number of attempts of the run so far. */
  attempts: number
  /** The run began on another page or in another tab: it may have sent the request before `attempts` was stored. @default false */
  readonly restored?: boolean | undefined
  /** An earlier run of this page may have sent the request under the same id. @default false */
  readonly isRepeated?: boolean | undefined
  /** Size of the answer so far, for the limits of the client: parts beside the text, warnings, bytes of all packets. */
  parts?: number | undefined
  warnings?: number | undefined
  bytes?: number | undefined
  /**
   * Epoch milliseconds of the earliest next attempt, while a wait that the server asked for (Retry-After) is not over.
   * It is part of the resume point, so that it also holds after a reload and in another tab. It counts for at most an
   * hour from now.
   */
  notBefore?: number | undefined
}

export function createResumePoint(isRepeated?: boolean): ResumePoint {
  return { streams: new Map(), attempts: 0, isRepeated }
}
