import { noop } from '../../../base/noop.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { ArcpCapabilities } from '../../../protocols/arcp/schema/session.ts'
import type { ArcpOutgoing, MessageWriter } from '../../../protocols/arcp/write-message.ts'
import type { EventLog } from '../../../server/event-log/event-log.ts'
import type { ArcpPrincipal } from './authenticate.ts'
import { beginSessionLog } from './session-log.ts'
import type { RuntimeSession } from './runtime-session.ts'
import { createRuntimeSession } from './runtime-session.ts'

/** The sessions of a runtime, each for as long as somebody follows it, jobs of it go on, or it may be resumed. */
export interface Sessions {
  readonly all: ReadonlyMap<string, RuntimeSession>
  /** Begins a session. Rejects when the store of the log is not there. @param principal undefined: an anonymous one */
  begin(principal: ArcpPrincipal | undefined, capabilities: ArcpCapabilities): Promise<RuntimeSession>
  /** Nobody follows it, or its last job has ended: it is kept for a while, unless something of it goes on. */
  leave(session: RuntimeSession): void
  /** Somebody follows it again. */
  join(session: RuntimeSession): void
  /** Ends a session at once: it cannot be resumed by this runtime. */
  end(session: RuntimeSession): void
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
  report(error: unknown): void
}

export function createSessions(options: SessionsOptions): Sessions {
  const { clock, writer, log, retentionMs, isBusy, report } = options
  const all = new Map<string, RuntimeSession>()
  const leaving = new Map<string, () => void>()

  function stay(session: RuntimeSession): void {
    leaving.get(session.id)?.()
    leaving.delete(session.id)
  }

  function end(session: RuntimeSession): void {
    stay(session)
    if (!all.delete(session.id)) return
    session.end().catch(report)
  }

  return {
    all,
    async begin(principal, capabilities) {
      const id = options.id()
      const isAnonymous = principal === undefined
      const scope = { id: principal?.id ?? `anonymous:${id}`, isAnonymous }
      const session = createRuntimeSession({
        id,
        scope,
        capabilities,
        writer,
        log: await beginSessionLog(log, id, { principal: scope.id, isAnonymous }),
        onLogged: options.onLogged,
        onLogLost: report,
      })
      all.set(id, session)
      return session
    },
    leave(session) {
      if (!all.has(session.id) || session.peers.size > 0 || isBusy(session)) return
      stay(session)
      const cancel = retentionMs === Infinity ? noop : clock.after(retentionMs, () => end(session))
      leaving.set(session.id, cancel)
    },
    join: stay,
    end,
    close() {
      for (const session of [...all.values()]) end(session)
    },
  }
}
