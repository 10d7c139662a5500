import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { AgentClient } from '../session/agent-client.ts'
import type { OutgoingMessage } from './conversation/message.ts'
import { DISPOSED } from './run.ts'

/** Why a chat does not do what it is asked to, as errors of its protocol. */
export interface Refusals {
  invalid(message: string): AgentError
  busy(): AgentError
  disposed(): AgentError
  /** The message, when there is something in it. @throws AgentError `invalid_request` */
  checked(outgoing: OutgoingMessage): OutgoingMessage
}

export function createRefusals(client: () => AgentClient): Refusals {
  const fail = (init: Pick<AgentErrorInit, 'kind' | 'code' | 'message'>): AgentError =>
    client().protocol.createError({ severity: 'FATAL', ...init })
  const invalid = (message: string): AgentError => fail({ kind: 'protocol', code: 'invalid_request', message })
  return {
    invalid,
    busy: () =>
      fail({ kind: 'runtime', code: 'busy', message: 'The agent is still answering. Wait for it, or stop it first.' }),
    disposed: () => fail(DISPOSED),
    checked(outgoing) {
      if (outgoing.text.trim() !== '' || outgoing.files?.length) return outgoing
      throw invalid('There is nothing to send: the message has neither text nor files.')
    },
  }
}
