import { MOST_BYTES, MOST_ENTRIES, type RunStore, type LeasedRun } from '../leased/run-store.ts'
import { entryText, letterOf } from '../leased/stored-entry.ts'
import { replyText, type RedisReply } from './redis-client.ts'
import type { RedisCommands } from './redis-commands.ts'
import { itemsOf } from './redis-stream.ts'
import type { RedisTail, RunNames } from './redis-tail.ts'

export interface RedisRunStoreOptions {
  readonly commands: RedisCommands
  readonly tail: RedisTail
  readonly prefix: string
  readonly leaseMs: number
  readonly ttlMs: number
  readonly rememberMs: number
  readonly maxBytes: number | undefined
  readonly keepLettersMs: number
}

/** Begins the keys of mailboxes. */
export function mailboxesOf(prefix: string): string {
  return `${prefix}mailbox:`
}

/** Runs in Redis: a hash and a stream each, changed by scripts. */
export function createRedisRunStore(options: RedisRunStoreOptions): RunStore {
  const { commands, tail, prefix, leaseMs, ttlMs, rememberMs, maxBytes } = options
  const logs = `${prefix}log:`
  const index = [`${prefix}finished`, `${prefix}finished-bytes`]
  const hashOf = (key: string): string => `${prefix}run:${key}`
  const namesOf = ({ key, id }: LeasedRun): RunNames => ({ id, hash: hashOf(key), stream: logs + id })
  const keysOf = ({ key, id }: LeasedRun): string[] => [hashOf(key), logs + id]

  return {
    // Only a limit asks for it.
    countsBytes: maxBytes !== undefined,
    async begin(key, { run, writer, mailbox, restart }) {
      const reply = await commands.run(
        'begin',
        [hashOf(key)],
        [logs, run, writer, leaseMs, ttlMs, rememberMs, restart ? 'yes' : '', mailbox],
      )
      const [state, id = ''] = list(reply)
      return state === 'expired' ? { state } : { state: state === 'created' ? 'created' : 'exists', id }
    },
    async find(key) {
      const [state, id = ''] = list(await commands.run('find', [hashOf(key)], [logs]))
      if (state === 'exists') return { state, id }
      return { state: state === 'expired' ? 'expired' : 'unknown' }
    },
    async adopt(key, writer) {
      const [id, last = ''] = list(await commands.run('adopt', [hashOf(key)], [logs, writer, leaseMs]))
      return id === undefined ? undefined : { id, end: Number.parseInt(last, 10) }
    },
    async expire(key, only) {
      await commands.run('expire', [hashOf(key), ...index], [logs, rememberMs, only?.run ?? '', only?.writer ?? ''])
    },
    async append(run, writer, after, mark, entries) {
      const values: (string | number)[] = [run.id, writer, after + 1, mark]
      for (const entry of entries) values.push(letterOf(entry), entryText(entry))
      return (await commands.run('append', keysOf(run), values)) === 'added'
    },
    async close(run, writer, last, mark, bytes) {
      const reply = await commands.run(
        'close',
        [...keysOf(run), ...index],
        [run.id, writer, last + 1, ttlMs, rememberMs, bytes, maxBytes ?? '', logs, mark],
      )
      return reply === 'closed' || reply === 'shortened' ? reply : 'lost'
    },
    async beat(run, writer, last) {
      const reply = await commands.run('beat', keysOf(run), [run.id, writer, leaseMs, ttlMs, rememberMs, last])
      return reply !== 'lost'
    },
    async read(run, after) {
      const reply = await commands.run('read', keysOf(run), [run.id, after, MOST_ENTRIES, MOST_BYTES])
      const [state, entries, more] = Array.isArray(reply) ? reply : []
      return state === 'gone' || state === 'orphaned' ? state : { items: itemsOf(entries), more: more === 'more' }
    },
    wait: (run, after, signal) => tail.wait(namesOf(run), after, signal),
    async sendCommand(key, text) {
      const reply = await commands.run(
        'command',
        [hashOf(key)],
        [logs, mailboxesOf(prefix), text, options.keepLettersMs],
      )
      const [state, id = ''] = list(reply)
      if (state === 'closed' || state === 'orphaned') return { state, id }
      return { state: state === 'sent' || state === 'expired' || state === 'unknown' ? state : 'unavailable' }
    },
  }
}

function list(reply: RedisReply): readonly string[] {
  return Array.isArray(reply) ? reply.map(replyText) : []
}
