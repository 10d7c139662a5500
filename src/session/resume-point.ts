import type { StreamState } from '../base/ledger.ts'

/** How far a run has been read, over all its lines. A copy of it is all that another session needs to go on there. */
export interface ResumePoint {
  /** By stream id, in order of appearance. */
  readonly streams: Map<string, StreamState>
  /** The last `id:` the server sent. */
  lastEventId?: string | undefined
  /** How often the agent was asked. */
  attempts: number
  /** Size of the answer so far, for the limits of the client: parts beside the text, warnings, bytes of all packets. */
  parts?: number | undefined
  warnings?: number | undefined
  bytes?: number | undefined
  /**
   * Epoch milliseconds of the earliest next attempt, while a wait that the server asked for (Retry-After) is not over.
   * It goes along with the resume point, so that neither a reload nor another tab asks sooner. At most an hour from now counts.
   */
  notBefore?: number | undefined
}

export function createResumePoint(): ResumePoint {
  return { streams: new Map(), attempts: 0 }
}
