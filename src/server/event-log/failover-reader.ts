import { AgentError } from '../../base/agent-error.ts'
import type { Adopted, EventLog, LogReader } from './event-log.ts'

export interface FailoverReaderOptions {
  readonly reader: LogReader
  readonly log: EventLog
  readonly key: string
  /** Goes on with a log that was orphaned. Absent: reading ends there, and the client that comes back begins the run again. */
  readonly adopted: ((log: Adopted) => Promise<void>) | undefined
}

/** A reader that never waits for a writer that is gone: it sees to it that somebody writes on, or that the log ends. */
export function failoverReader({ reader, log, key, adopted }: FailoverReaderOptions): LogReader {
  return {
    async read(after, signal) {
      for (;;) {
        const slice = await reader.read(after, signal)
        if (!slice.orphaned) return slice
        if (adopted === undefined || log.adopt === undefined) throw interrupted()
        const taken = await log.adopt(key)
        // Undefined: another was quicker, and what it writes comes by itself.
        if (taken !== undefined) await adopted(taken)
      }
    },
  }
}

function interrupted(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message: 'The process that answered is gone, so this answer ends here and may be begun again.',
  })
}
