import type { StoredEntry } from '../leased/stored-entry.ts'
import { replyText, type RedisReply } from './redis-client.ts'

/** The id before the entry after a counter: marks of the log have odd places in between. */
export function idAfter(counter: number): string {
  return `${counter}-1`
}

/** Entries as XRANGE gives them: `[id, [field, value, …]]`. */
export function itemsOf(reply: RedisReply): StoredEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.flatMap((entry) => {
    if (!Array.isArray(entry)) return []
    const [id, fields] = entry
    if (!Array.isArray(fields)) return []
    return [
      {
        counter: Number.parseInt(replyText(id), 10),
        kind: valueOf(fields, 'k'),
        text: valueOf(fields, 't'),
        writer: valueOf(fields, 'w'),
      },
    ]
  })
}

/** What XREAD gives, by stream: a list of pairs in RESP2, a map in RESP3. */
export function streamsOfReply(reply: RedisReply): Map<string, StoredEntry[]> {
  if (reply === null || typeof reply !== 'object') return new Map()
  const pairs = Array.isArray(reply) ? reply.map((pair) => (Array.isArray(pair) ? pair : [])) : Object.entries(reply)
  return new Map(pairs.map(([name, items]) => [replyText(name), itemsOf(items)]))
}

function valueOf(fields: readonly RedisReply[], name: string): string {
  const at = fields.findIndex((field) => replyText(field) === name)
  return at === -1 ? '' : replyText(fields[at + 1])
}
