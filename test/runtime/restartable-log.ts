import { AgentError } from '../../src/base/agent-error.ts'
import { abortReason, onAbort } from '../../src/base/on-abort.ts'
import type { EventLog, LogEntry, LogReader, LogWriter } from '../../src/server/event-log/event-log.ts'

/** A log that outlives the process that writes it, as one in a database does. */
export interface RestartableLog extends EventLog {
  /** All writers are gone, as when their process has died: they add nothing any more. */
  crash(): void
  /** The texts of all entries of all logs. */
  texts(): readonly string[]
}

interface Kept {
  readonly entries: LogEntry[]
  state: 'open' | 'closed' | 'expired'
  /** Undefined: it is gone. */
  writer: object | undefined
  readonly waiting: Set<() => void>
}

export function restartableLog(): RestartableLog {
  const all = new Map<string, Kept>()

  function wake({ waiting }: Kept): void {
    for (const settle of [...waiting]) settle()
  }

  function writerOf(kept: Kept): LogWriter {
    const own = {}
    kept.writer = own
    const isOwn = (): boolean => kept.writer === own && kept.state === 'open'
    const append = async (entries: readonly LogEntry[]): Promise<void> => {
      if (!isOwn()) throw expired()
      kept.entries.push(...entries)
      wake(kept)
    }
    const move = async (state: Kept['state']): Promise<void> => {
      if (!isOwn()) return
      kept.state = state
      wake(kept)
    }
    return {
      append: (entry) => append([entry]),
      appendAll: append,
      close: () => move('closed'),
      discard: () => move('expired'),
    }
  }

  function readerOf(kept: Kept): LogReader {
    return {
      async read(after, signal) {
        for (;;) {
          if (signal.aborted) throw abortReason(signal, 'The read was aborted.')
          if (kept.state === 'expired') throw expired()
          const end = kept.entries.length
          if (end > after || kept.state === 'closed')
            return { entries: kept.entries.slice(after), end, closed: kept.state === 'closed' }
          if (kept.writer === undefined) return { entries: [], end, closed: false, orphaned: true }
          await new Promise<void>((resolve) => {
            const settle = (): void => {
              kept.waiting.delete(settle)
              release()
              resolve()
            }
            kept.waiting.add(settle)
            const release = onAbort(signal, settle)
          })
        }
      },
    }
  }

  return {
    async begin(key) {
      const known = all.get(key)
      if (known !== undefined)
        return known.state === 'expired' ? { state: 'expired' } : { state: 'exists', reader: readerOf(known) }
      const kept: Kept = { entries: [], state: 'open', writer: undefined, waiting: new Set() }
      all.set(key, kept)
      return { state: 'created', writer: writerOf(kept), reader: readerOf(kept) }
    },
    async find(key) {
      const kept = all.get(key)
      if (kept === undefined) return { state: 'unknown' }
      return kept.state === 'expired' ? { state: 'expired' } : { state: 'exists', reader: readerOf(kept) }
    },
    async expire(key) {
      const kept = all.get(key)
      if (kept === undefined) return
      kept.state = 'expired'
      wake(kept)
    },
    async adopt(key) {
      const kept = all.get(key)
      if (kept?.state !== 'open' || kept.writer !== undefined) return undefined
      return { writer: writerOf(kept), end: kept.entries.length }
    },
    crash() {
      for (const kept of all.values()) {
        if (kept.state === 'open') kept.writer = undefined
        wake(kept)
      }
    },
    texts: () =>
      [...all.values()].flatMap(({ entries }) => entries.flatMap((entry) => ('text' in entry ? [entry.text] : []))),
  }
}

function expired(): AgentError {
  return new AgentError({ kind: 'runtime', code: 'log_expired', severity: 'FATAL', message: 'The log is gone.' })
}
