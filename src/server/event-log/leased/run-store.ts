import { type LogEntry, type LogSlice, COMMAND_NAMES } from '../event-log.ts'
import { AgentError } from '../../../base/agent-error.ts'

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

/** An entry as a store keeps it: one of the log, or a mark (b: begun, c: closed, x: discarded). */
export interface StoredEntry {
  readonly counter: number
  readonly kind: string
  readonly text: string
  /** Who wrote it, as `markOf` says. Empty in logs of earlier versions. */
  readonly writer: string
}

const KINDS = { stream: 's', frame: 'f', response: 'r' } as const

/** The letter an entry is kept under. */
export function letterOf(entry: LogEntry): string {
  return KINDS[entry.kind]
}

/** What every entry says of its writer: the counter after which that writer began, and a part of its id. */
export function markOf(began: number, id: string): string {
  return `${began}.${id.slice(0, 8)}`
}

/** What a reader has read up to a counter, and who wrote the last of it; undefined when that is not known. */
export interface ReadPlace {
  readonly after: number
  readonly writer: string | undefined
}

/**
 * What a reader gets who had everything up to a place, and the place it has come to then.
 *
 * @throws AgentError `log_expired` when the log was thrown away, has a hole, or holds other entries than those read before
 */
export function toSlice(
  place: ReadPlace,
  items: readonly StoredEntry[],
): { readonly slice: LogSlice; readonly place: ReadPlace } {
  const entries: LogEntry[] = []
  let { after: end, writer } = place
  let closed = false
  for (const item of items) {
    if (item.kind === 'x') throw expired()
    if (item.counter <= end || item.kind === 'b') continue
    if (item.counter !== end + 1 || !mayFollow(item, end, writer)) throw expired()
    if (item.kind === 'c') {
      closed = true
      break
    }
    entries.push(
      item.kind === KINDS.stream
        ? streamEntry(item.text)
        : { kind: item.kind === KINDS.response ? 'response' : 'frame', text: item.text },
    )
    end = item.counter
    writer = item.writer
  }
  return { slice: { entries, end, closed }, place: { after: end, writer } }
}

/** Text that is stored for an entry, next to its letter. */
export function entryText(entry: LogEntry): string {
  return entry.kind === 'stream' ? (entry.control ?? []).join(',') : entry.text
}

function streamEntry(text: string): LogEntry {
  const control = COMMAND_NAMES.filter((name) => text.split(',').includes(name))
  return control.length > 0 ? { kind: 'stream', control } : { kind: 'stream' }
}

/**
 * An entry of another writer must continue at the last entry read. Otherwise the store lost entries that were read, and
 * other entries replaced them.
 */
function mayFollow(item: StoredEntry, end: number, writer: string | undefined): boolean {
  if (writer === undefined || item.writer === '' || item.writer === writer) return true
  return Number.parseInt(item.writer, 10) === end
}

export function expired(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message:
      'The log of this run is gone, because it expired, its store lost it or another process took it over. Ask again under a new request id.',
  })
}
