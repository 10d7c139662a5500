/**
 * What one line of a run's log holds. `stream`: the agent answers as an event stream (no text).
 * `frame`: one encoded server-sent event, replayed byte for byte. `response`: the whole answer as
 * JSON text, for an agent that does not stream.
 */
export type LogEntry =
  | { readonly kind: 'stream' }
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'response'; readonly text: string }

/** The entries after a counter, in order. */
export interface LogSlice {
  readonly entries: readonly LogEntry[]
  /** Counter of the last entry read: pass it as `after` next time. The first entry has counter 1. */
  readonly end: number
  /** Nothing will ever follow `end`. */
  readonly closed: boolean
}

/** The only hand that writes one run's log. */
export interface LogWriter {
  /** Adds to the end. Rejects with AgentError `log_expired` when the log was expired meanwhile. */
  append(entry: LogEntry): Promise<void>
  /** Nothing more will come. From now on the log's time to live runs. Idempotent. */
  close(): Promise<void>
}

export interface LogReader {
  /**
   * Resolves as soon as there is an entry after `after`, or the log is closed. Rejects with AgentError
   * `log_expired` when the log is gone, and with the signal's reason when it aborts.
   */
  read(after: number, signal: AbortSignal): Promise<LogSlice>
}

export type Begun =
  | { readonly state: 'created'; readonly writer: LogWriter; readonly reader: LogReader }
  | { readonly state: 'exists'; readonly reader: LogReader }
  | { readonly state: 'expired' }

export type Found = { readonly state: 'exists'; readonly reader: LogReader } | { readonly state: 'expired' | 'unknown' }

/**
 * What every run has said, kept long enough for a client to come back and hear it again
 * (CAP section 6, rules 3 to 5). Keys are opaque. A log over many instances is possible: `begin`
 * is the one atomic step, and a reader never needs to sit where the writer sits.
 */
export interface EventLog {
  /**
   * Claims a key. Exactly one caller ever gets `created`, however many ask at once and wherever they run.
   * `expired`: there was a run, its log is gone; `restart` makes the key free again instead.
   */
  begin(key: string, options?: { readonly restart?: boolean | undefined }): Promise<Begun>
  /** Looks a key up and claims nothing. */
  find(key: string): Promise<Found>
  /** Throws the log away and remembers that there was one. Readers and the writer are told by `log_expired`. */
  expire(key: string): Promise<void>
}
