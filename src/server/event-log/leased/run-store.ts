import type { LogEntry } from '../event-log.ts'
import type { StoredEntry } from './stored-entry.ts'

/** A run in a store: a key that is begun again has another id. */
export interface LeasedRun {
  readonly key: string
  readonly id: string
}

/** Entries after a counter, and whether there are more of them already. */
export interface StoredPart {
  readonly items: readonly StoredEntry[]
  readonly more: boolean
}

/** What a follower receives: new entries, or that none will follow. */
export type TailResult = readonly StoredEntry[] | 'gone' | 'orphaned'

/** Limits of one part: a slow reader takes a log in pieces of so many entries, and so many bytes or one entry. */
export const MOST_ENTRIES = 500
export const MOST_BYTES = 65_536

/**
 * Runs in a store that several processes share. The writer of a run holds a lease on it; the store measures all times. Each method is
 * atomic, and may be repeated after a lost reply: then it changes nothing more and gives the same.
 *
 * All reject with AgentError: TRANSIENT when the store does not answer in time, has no space or no right to write, FATAL when it is
 * damaged or refuses the command.
 */
export interface RunStore {
  /** A limit on finished runs asks for their size. */
  readonly countsBytes: boolean
  /** @param options.restart begin again what has expired or is orphaned */
  begin(
    key: string,
    options: { readonly run: string; readonly writer: string; readonly mailbox: string; readonly restart: boolean },
  ): Promise<{ readonly state: 'created' | 'exists'; readonly id: string } | { readonly state: 'expired' }>
  find(
    key: string,
  ): Promise<{ readonly state: 'exists'; readonly id: string } | { readonly state: 'expired' | 'unknown' }>
  /** Undefined: the run is not orphaned. */
  adopt(key: string, writer: string): Promise<{ readonly id: string; readonly end: number } | undefined>
  /** @param only discards the run only if it is open and has this id and writer */
  expire(key: string, only?: { readonly run: string; readonly writer: string }): Promise<void>
  /**
   * Adds entries after a counter. False when the run has another writer, has ended, or lost entries.
   *
   * @param mark of the writer, as `markOf` makes it
   */
  append(run: LeasedRun, writer: string, after: number, mark: string, entries: readonly LogEntry[]): Promise<boolean>
  /** Closes a run whose last entry has this counter. `shortened`: it lost entries, and is discarded. */
  close(
    run: LeasedRun,
    writer: string,
    last: number,
    mark: string,
    bytes: number,
  ): Promise<'closed' | 'lost' | 'shortened'>
  /** Renews the lease. False as with `append`. */
  beat(run: LeasedRun, writer: string, last: number): Promise<boolean>
  /** `gone` also when the log ends before the counter, because the store lost its end. */
  read(run: LeasedRun, after: number): Promise<StoredPart | 'gone' | 'orphaned'>
  /** Resolves when something follows a counter. Rejects with the reason of the signal, and TRANSIENT when the store stays away. */
  wait(run: LeasedRun, after: number, signal: AbortSignal): Promise<TailResult>
  /** Sends a command to the process that writes a run. */
  sendCommand(key: string, text: string): Promise<SentCommand>
}

export type SentCommand =
  | { readonly state: 'sent' | 'unavailable' | 'unknown' | 'expired' }
  | { readonly state: 'closed' | 'orphaned'; readonly id: string }
