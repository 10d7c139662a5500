import { isAgentError } from '../base/agent-error.ts'
import type { LeaseChange } from '../seam/lease.ts'
import { sendCommand } from '../session/send-command.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatStore } from './chat-store.ts'
import { handleFor } from './chat-store.ts'
import { findLease, markRevoked } from './conversation/leases.ts'
import type { LeaseResult } from './answer-result.ts'
import type { Publisher } from './publisher.ts'

export interface ChatLeasesOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
}

/** @param changeId the same whenever this change is asked for again: the agent makes it once. Absent: a new one */
export type ChangeLease = (leaseId: string, change: LeaseChange, changeId?: string) => Promise<LeaseResult>

/**
 * Asks the agent for a change of a lease. What comes of more time is told by the agent's events only; a lease that the agent has agreed
 * to revoke is revoked here at once.
 */
export function createChangeLease({ options, store, publisher }: ChatLeasesOptions): ChangeLease {
  function refuse(message: string): LeaseResult {
    const error = options.client().protocol.createError({
      kind: 'protocol',
      code: 'invalid_request',
      severity: 'FATAL',
      message,
    })
    return { status: 'refused', error }
  }

  return async (leaseId, change, changeId = options.client().environment.uuid()) => {
    const granted = findLease(store.conversation.messages, leaseId)
    if (granted === undefined) return refuse(`There is no lease with id ${JSON.stringify(leaseId)}.`)
    const { lease, message } = granted
    if (lease.state !== 'active') return { status: 'too-late' }
    if (change.type === 'extend' && !(Number.isFinite(change.ms) && change.ms > 0))
      return refuse('A lease is extended by a number of milliseconds above zero.')
    const { requestId = '' } = message
    try {
      const told = await sendCommand(options.client(), {
        type: 'lease',
        requestId,
        handle: handleFor(store, requestId),
        leaseId,
        changeId,
        change,
      })
      switch (told.result) {
        case 'accepted':
          if (change.type === 'revoke') {
            store.conversation = markRevoked(store.conversation, leaseId)
            publisher.flush()
          }
          return { status: 'accepted' }
        case 'too-late':
          return { status: 'too-late' }
        case 'invalid':
          return { status: 'invalid', errors: told.errors }
        case 'unsupported':
          return refuse('This agent does not let its leases be changed.')
      }
    } catch (error) {
      if (!isAgentError(error)) throw error
      return error.retryable ? { status: 'unconfirmed', error } : { status: 'refused', error }
    }
  }
}
