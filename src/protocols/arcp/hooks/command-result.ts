import { isAgentError } from '../../../base/agent-error.ts'
import { createArcpError, isUnconfirmedEnd } from '../errors.ts'
import type { CommandResult } from '../../../seam/command.ts'
import type { LeaseResult } from '../../../state/chat-options.ts'

/**
 * What became of a wish to the runtime. Resolved, never thrown. `refused` too where the runtime has no such command; `unconfirmed` too
 * where a cancelled job may still be working.
 */
export type ArcpCommandResult = LeaseResult

/** What became of a command. @param unsupported what to say where the runtime has no such command */
export async function commandResultOf(
  sending: Promise<CommandResult>,
  unsupported: string,
): Promise<ArcpCommandResult> {
  try {
    const told = await sending
    if (told.result === 'invalid') return { status: 'invalid', errors: told.errors }
    if (told.result !== 'unsupported') return { status: told.result }
    const kind = 'protocol'
    const error = createArcpError({ kind, code: 'invalid_request', severity: 'FATAL', message: unsupported })
    return { status: 'refused', error }
  } catch (error) {
    if (!isAgentError(error)) throw error
    return error.retryable || isUnconfirmedEnd(error.agentCode)
      ? { status: 'unconfirmed', error }
      : { status: 'refused', error }
  }
}
