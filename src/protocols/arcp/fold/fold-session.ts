import type { ArcpMessage } from '../read/message.ts'
import type { SessionInput } from './session-phase.ts'
import { SESSION_PHASES } from './session-phase.ts'
import type { StateDraft } from './state-draft.ts'

/** What a message, or what the client did, means for the session. */
export function foldSession(
  draft: StateDraft,
  message: ArcpMessage | { readonly type: 'session-moved'; readonly input: SessionInput },
): void {
  const input = message.type === 'session-moved' ? message.input : message.type
  const before = draft.session
  const phase = isSessionInput(input) ? SESSION_PHASES[before.phase][input] : before.phase
  switch (message.type) {
    case 'session.accepted': {
      const { session_id: id, runtime, capabilities, lease } = message.payload
      return draft.setSession({ phase, id, runtime, capabilities, leaseExpiresAt: lease?.expires_at })
    }
    case 'session.rejected': {
      const { code, message: why } = message.payload
      return draft.setSession({ ...before, phase, error: { code, message: why } })
    }
    case 'session.evicted':
    case 'session.unauthenticated': {
      const { reason } = message.payload
      const why = message.type === 'session.evicted' ? message.payload.message : undefined
      return draft.setSession({ ...before, phase, error: { code: reason, message: why ?? reason } })
    }
    default:
      if (phase !== before.phase) draft.setSession({ ...before, phase, error: undefined })
  }
}

function isSessionInput(type: string): type is SessionInput {
  return Object.hasOwn(SESSION_PHASES.idle, type)
}
