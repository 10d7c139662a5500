import type { EventLog, LogReader } from '../event-log/event-log.ts'
import { isLogExpired } from '../http/log-refusals.ts'

/** Which run of a thread is the last one. It is a log of one entry, so it is kept wherever runs are, and as long. */
export interface ThreadIndex {
  /** The last run, and whether it has ended. */
  last(key: string, signal: AbortSignal): Promise<{ readonly run: string; readonly isOver: boolean } | undefined>
  /** Makes a run the last one. @returns what to call when it has ended */
  put(key: string, run: string, onError: (error: unknown) => void): Promise<() => void>
}

/** Most attempts: of two that are put at the same time one is the last. */
const MOST_TRIES = 5

export function createThreadIndex(log: EventLog): ThreadIndex {
  return {
    async last(key, signal) {
      const found = await log.find(key)
      return found.state === 'exists' ? readRun(found.reader, signal) : undefined
    },
    async put(key, run, onError) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const begun = await log.begin(key, { restart: true })
        if (begun.state === 'created') {
          const { writer } = begun
          await writer.append({ kind: 'response', text: run }).catch(async (error: unknown) => {
            // `last` would wait for the entry.
            await writer.discard().catch(() => {})
            throw error
          })
          return () =>
            void writer.close().catch((error: unknown) => {
              // Another run has come in its place.
              if (!isLogExpired(error)) onError(error)
            })
        }
        await log.expire(key)
      }
      // Others are put all the time: they come behind this run.
      return () => {}
    },
  }
}

async function readRun(
  reader: LogReader,
  signal: AbortSignal,
): Promise<{ readonly run: string; readonly isOver: boolean } | undefined> {
  try {
    const { entries, closed, orphaned = false } = await reader.read(0, signal)
    const [entry] = entries
    if (entry?.kind !== 'response') return undefined
    return { run: entry.text, isOver: closed || orphaned }
  } catch (error) {
    // Another run has come in its place, or it has expired.
    if (signal.aborted) throw error
    return undefined
  }
}
