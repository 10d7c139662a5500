import type { Clock } from '../../../base/ports/clock.ts'
import type { EventLog, LogReader, LogWriter } from '../event-log.ts'
import type { CommandHandler } from '../run-command.ts'
import { createLeasedReader } from './leased-reader.ts'
import { createLeasedWriter } from './leased-writer.ts'
import { createLiveRun, type LiveRun } from './live-run.ts'
import type { Mailbox } from './mailbox.ts'
import type { RunStore, SentCommand, LeasedRun } from './run-store.ts'
import { markOf } from './stored-entry.ts'

export interface LeasedEventLogOptions {
  readonly store: RunStore
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly uuid: () => string
  /** A process that has not renewed its lease for so many milliseconds counts as dead. */
  readonly leaseMs: number
}

/** How often a lease is renewed and checked within its duration: one late renewal does not expire it. */
const BEATS_PER_LEASE = 3

/** How often a lease is renewed, in milliseconds. */
export function beatOf(leaseMs: number): number {
  return Math.ceil(leaseMs / BEATS_PER_LEASE)
}

/**
 * An event log in a store that processes share. Readers in the process of the writer follow it in memory, and only entries that the
 * store has acknowledged; a writer that fails ends them, whatever the store still does.
 */
export function createLeasedEventLog(options: LeasedEventLogOptions): EventLog & { stop(): void } {
  const { store, mailbox, clock, uuid, leaseMs } = options
  const writers = new Set<{ stop(): void }>()
  /** Runs that are written here, by their key. */
  const lives = new Map<string, { readonly id: string; readonly live: LiveRun }>()

  const liveOf = ({ key, id }: LeasedRun): LiveRun | undefined => {
    const known = lives.get(key)
    return known?.id === id ? known.live : undefined
  }
  const readerOf = (run: LeasedRun, begun = false): LogReader =>
    createLeasedReader({ run, store, liveOf: () => liveOf(run), begun })

  const writerOf = (run: LeasedRun, id: string, counter: number): LogWriter => {
    const live = createLiveRun(counter, markOf(counter, id))
    lives.get(run.key)?.live.lost()
    lives.set(run.key, { id: run.id, live })
    let leave = (): void => {}
    const inner = createLeasedWriter({
      run,
      id,
      counter,
      store,
      clock,
      leaseMs,
      beatMs: beatOf(leaseMs),
      live,
      ended() {
        leave()
        writers.delete(writer)
        if (lives.get(run.key)?.live === live) lives.delete(run.key)
      },
    })
    const writer = {
      ...inner,
      onCommand(handle: CommandHandler): void {
        leave = mailbox.handle(run.key, handle)
      },
    }
    writers.add(writer)
    return writer
  }

  return {
    async begin(key, { restart = false } = {}) {
      const ids = { run: uuid(), writer: uuid() }
      const begun = await store.begin(key, { ...ids, mailbox: mailbox.name, restart })
      if (begun.state === 'expired') return begun
      const run = { key, id: begun.id }
      // After a lost reply the command is repeated: then the run already exists and belongs to this writer.
      if (begun.state === 'created' || begun.id === ids.run)
        return { state: 'created', writer: writerOf(run, ids.writer, 0), reader: readerOf(run, true) }
      return { state: 'exists', reader: readerOf(run) }
    },
    async find(key) {
      const found = await store.find(key)
      return found.state === 'exists' ? { state: 'exists', reader: readerOf({ key, id: found.id }) } : found
    },
    async expire(key) {
      await store.expire(key)
      // Those who follow it here ask the store now.
      lives.get(key)?.live.lost()
    },
    async adopt(key) {
      const writer = uuid()
      const adopted = await store.adopt(key, writer)
      return adopted && { writer: writerOf({ key, id: adopted.id }, writer, adopted.end), end: adopted.end }
    },
    async command(key, command) {
      // A writer of this process that has lost its run cannot log what it is told, and says so.
      const own = mailbox.handlerOf(key)
      if (own !== undefined) return { state: 'replied', reply: await own(command) }
      const attempts: SentCommand[] = []
      const reply = await mailbox.send(key, command, async (text) => {
        const sent = await store.sendCommand(key, text)
        attempts.push(sent)
        return sent.state === 'sent'
      })
      if (reply !== undefined && reply.result !== 'unavailable') return { state: 'replied', reply }
      const last = attempts.at(-1)
      if (last === undefined || last.state === 'sent') return { state: 'unavailable' }
      return 'id' in last ? { state: last.state, reader: readerOf({ key, id: last.id }) } : { state: last.state }
    },
    stop() {
      mailbox.close()
      for (const writer of [...writers]) writer.stop()
    },
  }
}
