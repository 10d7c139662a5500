import type { FieldError, PromptAnswer, PromptEnd } from '../../seam/prompt.ts'
import { AgentError } from '../../base/agent-error.ts'

/**
 * An entry of a run's log. `stream`: the agent answers as an event stream (no text); `control` are the commands that the upstream of a
 * proxy takes for it.
 * `frame`: one encoded server-sent event, replayed byte for byte. `response`: the whole answer as
 * JSON text, for an agent that does not stream.
 */
export type LogEntry =
  | { readonly kind: 'stream'; readonly control?: readonly RunCommand['name'][] | undefined }
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'response'; readonly text: string }

/** Entries after a counter, in order: all of them, or only a part, so that a slow reader needs little memory. */
export interface LogSlice {
  readonly entries: readonly LogEntry[]
  /** Counter of the last entry read: pass it as `after` next time. The first entry has counter 1. */
  readonly end: number
  /** Whether the log is closed: no entry follows `end`. */
  readonly closed: boolean
  /**
   * The writer is gone and did not close the log: no entry follows until another writer adopts it. Only set when
   * `entries` is empty.
   */
  readonly orphaned?: boolean | undefined
}

/**
 * The only writer of one run's log. A log is complete, or it ends in a typed error: one that misses an entry is never closed as
 * if it were whole.
 */
export interface LogWriter {
  /**
   * Adds to the end. Rejects with AgentError `log_expired` when the log was expired or adopted meanwhile, or lost
   * entries, and with a TRANSIENT one when the store could not keep the entry. After that every append rejects, because
   * an entry would be missing.
   */
  append(entry: LogEntry): Promise<void>
  /**
   * The same for several entries in their order, in one step: none of them is there, or all are. Absent: they are appended one
   * after the other.
   */
  appendAll?(entries: readonly LogEntry[]): Promise<void>
  /**
   * Nothing more will come. From now on the log's time to live runs. Idempotent. After an append that rejected with a TRANSIENT
   * error, and where the log cannot be closed, it is discarded instead, and this rejects.
   */
  close(): Promise<void>
  /**
   * Discards the log because it cannot be completed: readers get `log_expired`, and `begin` with `restart` makes the key
   * free. Changes nothing that was closed before, or that another writer owns. Idempotent. When it rejects with a TRANSIENT error
   * the log is left without a writer: it is neither closed nor written, and is discarded later or becomes orphaned.
   */
  discard(): Promise<void>
  /**
   * Takes the commands that are sent to this run by `EventLog.command`, in whichever process, until the log is closed, discarded or
   * adopted. Absent: the log carries no commands.
   */
  onCommand?(handle: CommandHandler): void
}

export interface LogReader {
  /**
   * Resolves as soon as there is an entry after `after`, or the log is closed. Rejects with AgentError
   * `log_expired` when the log is gone, also for a reader that is in the middle of it, and with the signal's reason when it aborts.
   */
  read(after: number, signal: AbortSignal): Promise<LogSlice>
  /**
   * Checks that the writer of an open log still exists; otherwise the log is expired, which ends pending reads. Called now and then
   * while a read waits. Absent: reads learn of it without being asked to.
   */
  checkWriter?(): void
}

export type Begun =
  | { readonly state: 'created'; readonly writer: LogWriter; readonly reader: LogReader }
  | { readonly state: 'exists'; readonly reader: LogReader }
  | { readonly state: 'expired' }

export type Found = { readonly state: 'exists'; readonly reader: LogReader } | { readonly state: 'expired' | 'unknown' }

/** An orphaned log with its new writer. */
export interface Adopted {
  readonly writer: LogWriter
  /** Counter of the last entry there was. */
  readonly end: number
}

/** What became of a command on its way to the writer of a log. */
export type Commanded =
  | { readonly state: 'replied'; readonly reply: RunReply }
  /** `closed`: the log says what was carried out. `orphaned`: the writer is gone, and nobody has adopted the log yet. */
  | { readonly state: 'closed' | 'orphaned'; readonly reader: LogReader }
  | { readonly state: 'expired' | 'unknown' }
  /** The writer has not replied: nobody knows whether it has carried the command out. */
  | { readonly state: 'unavailable' }

/**
 * Store of the output of every run, kept long enough for a client to reconnect and replay it (CAP section 6, rules 3 to
 * 5). Keys are opaque. A log can be shared by several instances: `begin` is the only atomic step, and reader and writer
 * can be in different processes. A method that the store cannot perform now rejects with a TRANSIENT AgentError.
 */
export interface EventLog {
  /**
   * Claims a key. Of all concurrent callers, in all processes, exactly one gets `created`. `expired`: there was a run
   * and its log is gone; with `restart` the key becomes free again instead.
   */
  begin(key: string, options?: { readonly restart?: boolean | undefined }): Promise<Begun>
  /** Looks a key up and claims nothing. */
  find(key: string): Promise<Found>
  /** Discards the log and remembers that there was one. Readers and the writer get `log_expired`. */
  expire(key: string): Promise<void>
  /**
   * Takes the place of a writer that is gone (its process died). Exactly one of many callers becomes the writer, the others
   * get undefined; the writer before can add nothing more. Absent where a writer and its log share one life, as in memory.
   * `begin` with `restart` takes an orphaned log for an expired one.
   */
  adopt?(key: string): Promise<Adopted | undefined>
  /**
   * Sends a command to the writer of an open log, in whichever process it is, and resolves with its reply. A command may arrive more
   * than once; the writer carries each out once. Absent: the log carries no commands, and its runs are not announced as taking any.
   */
  command?(key: string, command: RunCommand): Promise<Commanded>
}

/** What the user asks of a run that is under way. Plain JSON, so that it can go to another process. */
export type RunCommand =
  | { readonly name: 'cancel' }
  | { readonly name: 'answer'; readonly promptId: string; readonly answerId: string; readonly answer: PromptAnswer }
  | { readonly name: 'say'; readonly messageId: string; readonly text: string }

/** What a command may be called. */
export const COMMAND_NAMES: readonly RunCommand['name'][] = ['cancel', 'answer', 'say']

/**
 * How a run ended. After the last three the agent may still be working: `unconfirmed`: its function had not returned when the
 * log was closed. `interrupted`: the process that ran it no longer writes. `expired`: the log is gone.
 */
export type RunEndReason = 'finished' | 'cancelled' | 'failed' | 'unconfirmed' | 'interrupted' | 'expired'

/** What became of a command. Plain JSON. */
export type RunReply =
  /** It is in the log, now or by the same command before. */
  | { readonly result: 'accepted' }
  /** The prompt has another answer, or none and takes none any more. */
  | { readonly result: 'settled'; readonly state: PromptEnd; readonly answerId?: string | undefined }
  | { readonly result: 'unknown-prompt' }
  /** Nothing has changed: the prompt stays open. */
  | { readonly result: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly result: 'over'; readonly ended: RunEndReason }
  /** The message does not fit into what the log may still take. */
  | { readonly result: 'too-large' }
  /** A function of the app threw. Nothing has changed. */
  | { readonly result: 'failed' }
  /** Nobody knows whether it was carried out. The same command can be sent again. */
  | { readonly result: 'unavailable' }

/** Carries out the commands for one run, in the process that runs its agent. Never rejects. */
export type CommandHandler = (command: RunCommand) => Promise<RunReply>

interface FailoverReaderOptions {
  readonly reader: LogReader
  readonly log: EventLog
  readonly key: string
  /** Continues with a log that was orphaned. Absent: reading ends there, and the client that comes back begins the run again. */
  readonly adopted: ((log: Adopted) => Promise<void>) | undefined
}

/** Failover reader: when the writer is gone, the log is adopted or ended, so that reading does not wait for ever. */
export function failoverReader({ reader, log, key, adopted }: FailoverReaderOptions): LogReader {
  // A writer that shares the life of its log cannot be gone, and every wrapper of a read costs something for each packet.
  if (log.adopt === undefined) return reader
  return {
    async read(after, signal) {
      for (;;) {
        const slice = await reader.read(after, signal)
        if (!slice.orphaned) return slice
        if (adopted === undefined || log.adopt === undefined) throw interrupted()
        const taken = await log.adopt(key)
        // Undefined: another reader adopted the log first, and its entries arrive here.
        if (taken !== undefined) await adopted(taken)
      }
    },
  }
}

/** Why reading ends at an orphaned log that nobody continues with. */
export function interrupted(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message: 'The process that ran the agent is gone, so this answer ends here. A new run may start.',
  })
}
