import { AgentError } from '../../../base/agent-error.ts'
import type { LogEntry, LogSlice } from '../event-log.ts'
import { COMMAND_NAMES } from '../run-command.ts'

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
