/**
 * What one line of a run's log holds. `stream`: the agent answers as an event stream (no text).
 * `frame`: one encoded server-sent event, replayed byte for byte. `response`: the whole answer as
 * JSON text, for an agent that does not stream.
 */
export type LogEntry =
  | { readonly kind: 'stream' }
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'response'; readonly text: string }

/** The entries after a counter, in order: all there are, or a part of them so that a slow reader holds little. */
export interface LogSlice {
  readonly entries: readonly LogEntry[]
  /** Counter of the last entry read: pass it as `after` next time. The first entry has counter 1. */
  readonly end: number
  /** Nothing will ever follow `end`. */
  readonly closed: boolean
  /** The hand that wrote is gone and has not closed: nothing follows until somebody adopts the log. Only ever with no entries. */
  readonly orphaned?: boolean | undefined
}

/**
 * The only writer of one run's log. A log is complete, or it ends in a typed error: one that misses an entry is never closed as
 * if it were whole.
 */
export interface LogWriter {
  /**
   * Adds to the end. Rejects with AgentError `log_expired` when the log was expired or adopted meanwhile, or lost entries, and with
   * a TRANSIENT one when the store could not keep the entry. After that every append rejects, because it would leave a hole.
   */
  append(entry: LogEntry): Promise<void>
  /**
   * Nothing more will come. From now on the log's time to live runs. Idempotent. After an append that rejected with a TRANSIENT
   * error, and where the log cannot be closed, it is discarded instead, and this rejects.
   */
  close(): Promise<void>
  /**
   * Throws the log away because it cannot be completed: readers are told by `log_expired`, and `begin` with `restart` makes the key
   * free. Changes nothing that was closed before, or that another writer owns. Idempotent. When it rejects with a TRANSIENT error
   * the log is left without a writer: it is neither closed nor written, and is discarded later or becomes orphaned.
   */
  discard(): Promise<void>
}

export interface LogReader {
  /**
   * Resolves as soon as there is an entry after `after`, or the log is closed. Rejects with AgentError
   * `log_expired` when the log is gone, also for a reader that is in the middle of it, and with the signal's reason when it aborts.
   */
  read(after: number, signal: AbortSignal): Promise<LogSlice>
}

export type Begun =
  | { readonly state: 'created'; readonly writer: LogWriter; readonly reader: LogReader }
  | { readonly state: 'exists'; readonly reader: LogReader }
  | { readonly state: 'expired' }

export type Found = { readonly state: 'exists'; readonly reader: LogReader } | { readonly state: 'expired' | 'unknown' }

/** A log whose writer was gone, in new hands. */
export interface Adopted {
  readonly writer: LogWriter
  /** Counter of the last entry there was. */
  readonly end: number
}

/**
 * What every run has said, kept long enough for a client to come back and hear it again
 * (CAP section 6, rules 3 to 5). Keys are opaque. A log over many instances is possible: `begin`
 * is the one atomic step, and a reader never needs to sit where the writer sits. A method that the store
 * cannot carry out now rejects with a TRANSIENT AgentError.
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
  /**
   * Takes the place of a writer that is gone (its process died). Exactly one of many callers becomes the writer, the others
   * get undefined; the writer before can add nothing more. Absent where a writer and its log share one life, as in memory.
   * `begin` with `restart` takes an orphaned log for an expired one.
   */
  adopt?(key: string): Promise<Adopted | undefined>
}
