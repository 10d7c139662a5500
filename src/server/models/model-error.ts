import { AgentError } from '../../base/agent-error.ts'
import { abortReason } from '../../base/on-abort.ts'

/**
 * A model that has not answered to the end. Its message is for `onError` of the handler; clients get `internal_error`, as for anything
 * that an agent throws.
 *
 * @param reason how it ended, in the words of its vendor
 */
export function modelError(reason: string, cause?: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    message: `The model has not answered to the end: ${reason}.`,
    ...(cause !== undefined && { cause }),
  })
}

/** What to throw for a model whose call was aborted: the reason of the run where that was it. */
export function modelAborted(signal: AbortSignal): Error {
  return signal.aborted ? abortReason(signal, 'The run was aborted.') : modelError('its call was aborted')
}
