import { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { EventLog, LogWriter } from '../../server/event-log/event-log.ts'

/** The sessions of each principal, in the event log: a process finds those of the processes before it, whose ids nobody tells it. */
export interface SessionIndex {
  /** A session begins. Never rejects: a session that is not listed is still resumed by its id. */
  add(principal: string, sessionId: string): Promise<void>
  /** A session has ended: the list of a principal without others is dropped. Never rejects. */
  remove(principal: string, sessionId: string): Promise<void>
  /** Ids of the sessions that are listed, the newest of each process. Rejects when the log cannot be read. */
  of(principal: string): Promise<readonly string[]>
}

export interface SessionIndexOptions {
  readonly log: EventLog
  readonly clock: Clock
  report(error: unknown): void
}

/** Processes that list sessions of one principal at a time: each has its own list, because a log has one writer. */
const LISTS = 8
/** Sessions of each list that are found again. */
const KEPT = 64
/** Longest wait for a list that another process is writing. */
const READ_MS = 1_000

/** The list that this process writes for a principal. */
interface OwnList {
  readonly key: string
  readonly writer: LogWriter
  /** What a process before this one has written. */
  readonly earlier: readonly string[]
}

interface Own {
  readonly sessions: Set<string>
  /** Undefined: no list was free. */
  readonly list: Promise<OwnList | undefined>
}

export function createSessionIndex({ log, clock, report }: SessionIndexOptions): SessionIndex {
  const all = new Map<string, Own>()
  const keysOf = (principal: string): string[] =>
    Array.from({ length: LISTS }, (_, list) => `arcp:sessions:${list}:${principal}`)

  /** The first list that has no writer. */
  async function claim(principal: string): Promise<OwnList | undefined> {
    for (const key of keysOf(principal)) {
      const begun = await log.begin(key)
      const free = begun.state === 'expired' ? await log.begin(key, { restart: true }) : begun
      if (free.state === 'created') return { key, writer: free.writer, earlier: [] }
      const adopted = await log.adopt?.(key)
      if (adopted !== undefined) return { key, writer: adopted.writer, earlier: await read(key, adopted.end) }
    }
    return undefined
  }

  /** @param last counter of the last entry. Absent: it is not known, as another process may be writing. */
  async function read(key: string, last = Infinity): Promise<readonly string[]> {
    const found = await log.find(key)
    if (found.state !== 'exists') return []
    const abort = new AbortController()
    const cancel = clock.after(READ_MS, () => abort.abort())
    const ids: string[] = []
    try {
      for (let at = 0; at < last;) {
        const { entries, end, closed, orphaned } = await found.reader.read(at, abort.signal)
        for (const entry of entries) if (entry.kind === 'frame') ids.push(entry.text)
        if (closed || orphaned === true) break
        at = end
      }
    } catch (error) {
      // The list is being written, and had no more entries. Or it was dropped meanwhile.
      const isGone = error instanceof AgentError && error.code === 'log_expired'
      if (!abort.signal.aborted && !isGone) throw error
    } finally {
      cancel()
    }
    return ids.slice(-KEPT)
  }

  return {
    async add(principal, sessionId) {
      const own = all.get(principal) ?? { sessions: new Set<string>(), list: claim(principal) }
      all.set(principal, own)
      own.sessions.add(sessionId)
      try {
        await (await own.list)?.writer.append({ kind: 'frame', text: sessionId })
      } catch (error) {
        if (all.get(principal) === own) all.delete(principal)
        report(error)
      }
    },
    async remove(principal, sessionId) {
      const own = all.get(principal)
      own?.sessions.delete(sessionId)
      if (own === undefined || own.sessions.size > 0) return
      all.delete(principal)
      try {
        await (await own.list)?.writer.discard()
      } catch (error) {
        report(error)
      }
    },
    async of(principal) {
      const own = await all.get(principal)?.list
      const others = keysOf(principal).filter((key) => key !== own?.key)
      const lists = await Promise.all(others.map((key) => read(key)))
      return [...new Set([...(own?.earlier ?? []), ...lists.flat()])]
    },
  }
}
