import { noop } from '../../../base/noop.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { ArcpCapabilities } from '../../../protocols/arcp/schema/session.ts'
import type { ArcpOutgoing, MessageWriter } from '../../../protocols/arcp/write-message.ts'
import type { EventLog } from '../../../server/event-log/event-log.ts'
import type { ArcpPrincipal } from './authenticate.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import type { LoggedSession } from './logged-session.ts'
import { readLoggedSession } from './logged-session.ts'
import { recoverSessionLog } from './recover-log.ts'
import { beginSessionLog } from './session-log.ts'
import type { RuntimeSession } from './runtime-session.ts'
import { createRuntimeSession } from './runtime-session.ts'

/** The sessions of a runtime, each for as long as somebody follows it, jobs of it go on, or it may be resumed. */
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
  /** Nobody follows it, or its last job has ended: it is kept for a while, unless something of it goes on. */
  leave(session: RuntimeSession): void
  /** Somebody follows it again. */
  join(session: RuntimeSession): void
  /** Ends a session at once. @param isKept whether what it has said may still be read */
  end(session: RuntimeSession, isKept: boolean): void
  close(): void
}

export interface SessionsOptions {
  readonly clock: Clock
  readonly writer: MessageWriter
  readonly log: EventLog
  readonly retentionMs: number
  id(): string
  /** Whether jobs of it go on. */
  isBusy(session: RuntimeSession): boolean
  onLogged(message: ArcpOutgoing, session: RuntimeSession): void
  /** Called with a session of a process before this one, before anybody follows it. */
  onRecovered(session: RuntimeSession, logged: LoggedSession): void
  report(error: unknown): void
}

export function createSessions(options: SessionsOptions): Sessions {
  const { clock, writer, log, retentionMs, isBusy, report } = options
  const all = new Map<string, RuntimeSession>()
  const leaving = new Map<string, () => void>()
  const recovering = new Map<string, Promise<RuntimeSession | undefined>>()
  let isClosed = false

  function stay(session: RuntimeSession): void {
    leaving.get(session.id)?.()
    leaving.delete(session.id)
  }

  function end(session: RuntimeSession, isKept: boolean): void {
    stay(session)
    if (!all.delete(session.id)) return
    session.end(isKept).catch(report)
  }

  function leave(session: RuntimeSession): void {
    if (!all.has(session.id) || session.peers.size > 0 || isBusy(session)) return
    stay(session)
    const cancel = retentionMs === Infinity ? noop : clock.after(retentionMs, () => end(session, true))
    leaving.set(session.id, cancel)
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
      const scope = { names: [principal?.id ?? `anonymous:${id}`], isAnonymous }
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
      return session
    },
    async find(id) {
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
