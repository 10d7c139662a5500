import { AgentError } from '../../base/agent-error.ts'
import { abortReason } from '../../base/on-abort.ts'
import type { ModelFailureCode } from '../run/run-verdicts.ts'

/**
 * A model that has not answered to the end. Its message is for `onError` of the handler; clients get `internal_error`, as for anything
 * that an agent throws.
 *
 * @param reason how it ended, in the words of its vendor
 */
export function modelError(reason: string, cause?: unknown): AgentError {
  return failure(reason, { cause })
}

/** A model call that failed for a known reason, which clients see. */
export function modelFailure(
  code: ModelFailureCode,
  reason: string,
  more: { readonly cause?: unknown; readonly retryAfterMs?: number | undefined } = {},
): AgentError {
  return failure(reason, { ...more, agentCode: code })
}

function failure(
  reason: string,
  {
    cause,
    agentCode,
    retryAfterMs,
  }: { cause?: unknown; agentCode?: ModelFailureCode; retryAfterMs?: number | undefined },
): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    message: `The model has not answered to the end: ${reason}.`,
    ...(agentCode !== undefined && { agentCode }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(cause !== undefined && { cause }),
  })
}

const OUTPUT_LIMIT = /^(length|max_tokens|max_output_tokens|max_completion_tokens|model_length|max_length)$/i
const CONTEXT_LIMIT = /^(model_context_window_exceeded|context_length_exceeded)$/i
const FILTERED =
  /filter|safety|prohibited|blocklist|recitation|^(refusal|spii|sensitive|guardrail_intervened|error_toxic|image_other)$/i

/** Fails for the reason with which a vendor has ended an answer that is not whole. @param reason as the vendor writes it */
export function finishError(reason: string): AgentError {
  const code = OUTPUT_LIMIT.test(reason)
    ? 'model_output_limit'
    : CONTEXT_LIMIT.test(reason)
      ? 'model_context_too_long'
      : FILTERED.test(reason)
        ? 'model_content_filtered'
        : undefined
  const text = `finish reason ${reason}`
  return code === undefined ? modelError(text) : modelFailure(code, text)
}

/** What to throw for a model whose call was aborted: the reason of the run where that was it. */
export function modelAborted(signal: AbortSignal): Error {
  return signal.aborted ? abortReason(signal, 'The run was aborted.') : modelError('its call was aborted')
}
