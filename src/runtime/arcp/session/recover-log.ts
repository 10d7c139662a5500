import { AgentError } from '../../../base/agent-error.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { EventLog, LogReader, LogSlice, LogWriter } from '../../../server/event-log/event-log.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import type { SessionLog } from './session-log.ts'
import { keyOf, openSessionLog } from './session-log.ts'

/** The log of a session that another process has begun. */
export interface RecoveredLog {
  readonly log: SessionLog
  /** All that is in it. */
  readonly entries: readonly string[]
}

/** Longest wait until it is sure that a writer is gone: longer than the lease that one has in Redis. */
const ORPHANED_MS = 20_000

/**
 * Takes the place of a process that is gone, or reads what was ended before. Undefined: the store has nothing of the session any more.
 *
 * @throws ArcpFault UNAVAILABLE when the process that writes the log is alive; an error of the store
 */
export async function recoverSessionLog(
  log: EventLog,
  sessionId: string,
  clock: Clock,
): Promise<RecoveredLog | undefined> {
  const found = await log.find(keyOf(sessionId))
  if (found.state !== 'exists') return undefined
  const abort = new AbortController()
  const cancel = clock.after(ORPHANED_MS, () =>
    abort.abort(new ArcpFault('UNAVAILABLE', 'The session is served by another process.', { retryable: true })),
  )
  try {
    return await readToEnd(log, sessionId, found.reader, abort.signal)
  } catch (error) {
    if (error instanceof AgentError && error.code === 'log_expired') return undefined
    throw error
  } finally {
    cancel()
  }
}

async function readToEnd(
  log: EventLog,
  sessionId: string,
  reader: LogReader,
  signal: AbortSignal,
): Promise<RecoveredLog> {
  const entries: string[] = []
  let at = 0
  const readSlice = async (): Promise<LogSlice> => {
    const slice = await reader.read(at, signal)
    for (const entry of slice.entries) if (entry.kind === 'frame') entries.push(entry.text)
    at = slice.end
    return slice
  }
  for (;;) {
    const { closed, orphaned } = await readSlice()
    if (closed) return { log: openSessionLog(NO_WRITER, reader, at), entries }
    const adopted = orphaned === true ? await log.adopt?.(keyOf(sessionId)) : undefined
    // Undefined: another process was faster, and its entries arrive here.
    if (adopted === undefined) continue
    while (at < adopted.end) await readSlice()
    return { log: openSessionLog(adopted.writer, reader, at), entries }
  }
}

/** Nothing is added to what has ended. */
const NO_WRITER: LogWriter = {
  append: () => Promise.reject(new Error('The session has ended.')),
  close: async () => undefined,
  discard: async () => undefined,
}
