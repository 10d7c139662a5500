import { AgentError } from '../../base/agent-error.ts'
import type { Adopted, EventLog, LogReader } from './event-log.ts'

export interface FailoverReaderOptions {
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
