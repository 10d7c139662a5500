import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { ArcpCapabilities } from '../../protocols/arcp/schema/session.ts'
import type { ArcpOutgoing, MessageWriter } from '../../protocols/arcp/write-message.ts'
import type { EventLog, LogReader, LogSlice, LogWriter } from '../../server/event-log/event-log.ts'
import { type ArcpPrincipal, type Scope, anonymousName, principalOf } from './scope.ts'
import { ArcpFault } from './arcp-fault.ts'
import {
  type LoggedSession,
  readLoggedSession,
  beginSessionLog,
  type SessionLog,
  keyOf,
  openSessionLog,
} from './session-log.ts'
import { type RuntimeSession, createRuntimeSession } from './runtime-session.ts'
import { AgentError } from '../../base/agent-error.ts'

/** The log of a session that another process has begun. */
interface RecoveredLog {
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
async function recoverSessionLog(log: EventLog, sessionId: string, clock: Clock): Promise<RecoveredLog | undefined> {
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

/** The sessions of a runtime, each for as long as somebody follows it, jobs of it continue, or it may be resumed. */
export interface Sessions {
  readonly all: ReadonlyMap<string, RuntimeSession>
  /** Begins a session. Rejects when the store of the log is not there. @param principal undefined: an anonymous one */
  begin(principal: ArcpPrincipal | undefined, capabilities: ArcpCapabilities): Promise<RuntimeSession>
  /**
   * A session that is known here, or that a process before this one has logged. Undefined: nothing is kept of it.
   *
   * @throws ArcpFault UNAVAILABLE when the store cannot be read, or another process serves the session
   */
  find(id: string): Promise<RuntimeSession | undefined>
  /**
   * Finds the sessions of a principal that processes before this one have logged. Resolves when those whose process is known to be gone
   * are there, or after a second; the others are recovered when the lease of their process has ended. Resolves with whether all are
   * there. Never rejects.
   */
  recoverOf(scope: Scope): Promise<boolean>
  /** Nobody follows it, or its last job has ended: it is kept for a while, unless something of it continues. */
  leave(session: RuntimeSession): void
  /** Somebody follows it again. */
  join(session: RuntimeSession): void
  /** Ends a session at once. @param isKept whether its messages may still be read */
  end(session: RuntimeSession, isKept: boolean): void
  close(): void
}

export interface SessionsOptions {
  readonly clock: Clock
  readonly writer: MessageWriter
  readonly log: EventLog
  readonly retentionMs: number
  id(): string
  /** Whether jobs of it continue. */
  isBusy(session: RuntimeSession): boolean
  onLogged(message: ArcpOutgoing, session: RuntimeSession): void
  /** Called with a session of a process before this one, before anybody follows it. */
  onRecovered(session: RuntimeSession, logged: LoggedSession): void
  report(error: unknown): void
}

/** Longest wait for sessions whose process may be alive. */
const RECOVERY_MS = 1_000

export function createSessions(options: SessionsOptions): Sessions {
  const { clock, writer, log, retentionMs, isBusy, report } = options
  const all = new Map<string, RuntimeSession>()
  const leaving = new Map<string, () => void>()
  const recovering = new Map<string, Promise<RuntimeSession | undefined>>()
  // A log that nobody can adopt has nothing of another process.
  const index = log.adopt === undefined ? undefined : createSessionIndex({ log, clock, report })
  /** Listed sessions of which nothing is kept any more. */
  const gone = new Set<string>()
  let isClosed = false

  function stay(session: RuntimeSession): void {
    leaving.get(session.id)?.()
    leaving.delete(session.id)
  }

  function end(session: RuntimeSession, isKept: boolean): void {
    stay(session)
    if (!all.delete(session.id)) return
    session.end(isKept).catch(report)
    const principal = principalOf(session.scope)
    // The list outlives the runtime, so that the next one finds what this one leaves.
    if (principal !== undefined && !isClosed) void index?.remove(principal, session.id)
  }

  function leave(session: RuntimeSession): void {
    if (!all.has(session.id) || session.peers.size > 0 || isBusy(session)) return
    stay(session)
    const cancel = retentionMs === Infinity ? noop : clock.after(retentionMs, () => end(session, true))
    leaving.set(session.id, cancel)
  }

  async function find(id: string): Promise<RuntimeSession | undefined> {
    const known = all.get(id)
    if (known !== undefined) return known
    const found = recovering.get(id) ?? recover(id).finally(() => recovering.delete(id))
    recovering.set(id, found)
    try {
      return await found
    } catch (cause) {
      if (cause instanceof ArcpFault) throw cause
      report(cause)
      throw new ArcpFault('UNAVAILABLE', 'The log of the session could not be read.', { retryable: true })
    }
  }

  /** A session that is not there any more, or that another process serves, is not a failure. */
  async function recoverAll(principal: string): Promise<boolean> {
    const ids = (await index?.of(principal)) ?? []
    const listed = ids.filter((id) => !gone.has(id))
    const found = await Promise.allSettled(listed.map(async (id) => (await find(id)) ?? gone.add(id)))
    return found.every(({ status }) => status === 'fulfilled')
  }

  async function recover(id: string): Promise<RuntimeSession | undefined> {
    const found = await recoverSessionLog(log, id, clock)
    const logged = found && readLoggedSession(found.entries)
    if (found === undefined || logged === undefined) return undefined
    const { capabilities, ...scope } = logged.owner
    const session = createRuntimeSession({
      id,
      scope,
      capabilities,
      writer,
      log: found.log,
      lastId: logged.lastId,
      onLogged: options.onLogged,
      onLogLost: report,
    })
    all.set(id, session)
    options.onRecovered(session, logged)
    leave(session)
    // The runtime may have been closed meanwhile.
    if (isClosed) end(session, true)
    return session
  }

  return {
    all,
    async begin(principal, capabilities) {
      const id = options.id()
      const isAnonymous = principal === undefined
      const scope = { names: [principal?.id ?? anonymousName(id)], isAnonymous }
      const session = createRuntimeSession({
        id,
        scope,
        capabilities,
        writer,
        log: await beginSessionLog(log, id, { ...scope, capabilities }),
        onLogged: options.onLogged,
        onLogLost: report,
      })
      all.set(id, session)
      if (principal !== undefined) await index?.add(principal.id, id)
      return session
    },
    find,
    async recoverOf(scope) {
      const principal = principalOf(scope)
      if (index === undefined || principal === undefined) return true
      return new Promise((resolve) => {
        const cancel = clock.after(RECOVERY_MS, () => resolve(false))
        const finish = (isComplete: boolean): void => {
          cancel()
          resolve(isComplete)
        }
        recoverAll(principal).then(finish, (error: unknown) => {
          report(error)
          finish(false)
        })
      })
    },
    leave,
    join: stay,
    end,
    close() {
      isClosed = true
      for (const session of [...all.values()]) end(session, true)
    },
  }
}

/** The sessions of each principal, in the event log: a process finds those of the processes before it, whose ids nobody tells it. */
interface SessionIndex {
  /** A session begins. Never rejects: a session that is not listed is still resumed by its id. */
  add(principal: string, sessionId: string): Promise<void>
  /** A session has ended: the list of a principal without others is dropped. Never rejects. */
  remove(principal: string, sessionId: string): Promise<void>
  /** Ids of the sessions that are listed, the newest of each process. Rejects when the log cannot be read. */
  of(principal: string): Promise<readonly string[]>
}

interface SessionIndexOptions {
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

function createSessionIndex({ log, clock, report }: SessionIndexOptions): SessionIndex {
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
