import { AgentError } from '../base/agent-error.ts'
import type { LogEntry, LogSlice } from './event-log.ts'
import { textOf, type RedisReply } from './redis-client.ts'

/** One entry of a Redis stream: a line of the log, or a mark. */
export interface StreamItem {
  readonly counter: number
  readonly kind: string
  readonly text: string
}

const KINDS = { stream: 's', frame: 'f', response: 'r' } as const

/** The letter an entry is kept under. */
export function letterOf(entry: LogEntry): string {
  return KINDS[entry.kind]
}

/** The id before the entry after a counter: marks of the log have odd places in between. */
export function idAfter(counter: number): string {
  return `${counter}-1`
}

/** Entries as XRANGE gives them: `[id, [field, value, …]]`. */
export function itemsOf(reply: RedisReply): StreamItem[] {
  if (!Array.isArray(reply)) return []
  return reply.flatMap((entry) => {
    if (!Array.isArray(entry)) return []
    const [id, fields] = entry
    if (!Array.isArray(fields)) return []
    return [{ counter: Number.parseInt(textOf(id), 10), kind: valueOf(fields, 'k'), text: valueOf(fields, 't') }]
  })
}

/** What XREAD gives, by stream: a list of pairs in RESP2, a map in RESP3. */
export function streamsOf(reply: RedisReply): Map<string, StreamItem[]> {
  if (reply === null || typeof reply !== 'object') return new Map()
  const pairs = Array.isArray(reply) ? reply.map((pair) => (Array.isArray(pair) ? pair : [])) : Object.entries(reply)
  return new Map(pairs.map(([name, items]) => [textOf(name), itemsOf(items)]))
}

/**
 * What a reader who had everything up to `after` gets.
 *
 * @throws AgentError `log_expired` when the log was thrown away
 */
export function toSlice(after: number, items: readonly StreamItem[]): LogSlice {
  const entries: LogEntry[] = []
  let end = after
  let closed = false
  for (const { counter, kind, text } of items) {
    if (kind === 'x') throw expired()
    if (kind === 'c') closed = true
    if (counter <= after || kind === 'b' || kind === 'c') continue
    entries.push(kind === KINDS.stream ? { kind: 'stream' } : { kind: kind === KINDS.response ? 'response' : 'frame', text })
    end = counter
  }
  return { entries, end, closed }
}

export function expired(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message: 'The log of this run is gone, because it was kept too long, Redis lost it or another process took it over. Ask again under a new request id.',
  })
}

function valueOf(fields: readonly RedisReply[], name: string): string {
  const at = fields.findIndex((field) => textOf(field) === name)
  return at === -1 ? '' : textOf(fields[at + 1])
}
