import { isAgentError } from '../base/agent-error.ts'
import { onAbort } from '../base/on-abort.ts'
import { delay } from '../base/ports/clock.ts'
import type { Command, CommandResult } from '../seam/command.ts'
import type { AgentClient, StopResult } from './agent-client.ts'
import { BROKEN, UNCONFIRMED } from './connection.ts'
import type { ResumePoint } from './resume-point.ts'

const UNSUPPORTED: CommandResult = { result: 'unsupported' }
/** One attempt that takes longer counts as lost. */
const ATTEMPT_TIMEOUT_MS = 10_000

/**
 * Sends a command until it is known what became of it, with the client's backoff between the attempts. Every attempt has the same
 * ids, so that the agent does it once.
 *
 * @throws AgentError that is retryable when nobody knows whether it arrived: attempts ran out, the signal aborted, or the agent
 *   refused a later attempt and does not know of the others; the agent's own when it refused the first
 */
export async function sendCommand(client: AgentClient, command: Command, signal?: AbortSignal): Promise<CommandResult> {
  const { protocol, retry, environment } = client
  const { clock, random } = environment
  if (protocol.act === undefined) return UNSUPPORTED
  for (let failures = 1; ; failures++) {
    // An attempt before may have arrived: that a later one is refused says nothing of it. A run is begun once more by its connection.
    const isRepeated = failures > 1 && command.type !== 'begin'
    const sent = await sendOnce(client, command, signal).catch((cause: unknown) =>
      isAgentError(cause) ? cause : protocol.createError({ ...BROKEN, cause }),
    )
    if (!isAgentError(sent)) {
      if (!isRepeated || command.type === 'cancel' || isConclusive(sent)) return sent
      throw protocol.createError(UNCONFIRMED)
    }
    if (!sent.retryable && isRepeated) throw protocol.createError({ ...UNCONFIRMED, cause: sent })
    const isLast = !sent.retryable || failures > retry.maxAttempts
    if (!isLast) await delay(clock, retry.delayMs(failures, sent, random()), signal)
    if (isLast || signal?.aborted) throw sent
  }
}

/** Whether the result also holds for the attempts before. */
function isConclusive(result: CommandResult): boolean {
  return result.result === 'too-late' ? result.end !== undefined : result.result !== 'unsupported'
}

async function sendOnce(
  { protocol, environment }: AgentClient,
  command: Command,
  signal: AbortSignal | undefined,
): Promise<CommandResult> {
  const own = new AbortController()
  const release = signal && onAbort(signal, () => own.abort())
  const late = delay(environment.clock, ATTEMPT_TIMEOUT_MS, own.signal).then(() => undefined)
  try {
    const sent = protocol.act?.(command, { signal: own.signal }) ?? UNSUPPORTED
    const result = await Promise.race([sent, late])
    if (result === undefined) throw protocol.createError(UNCONFIRMED)
    return result
  } finally {
    release?.()
    own.abort()
  }
}

/** How long a cancel is repeated before the page says that the agent may still be working. */
const CANCEL_TIMEOUT_MS = 15_000

/**
 * Asks the agent to stop a run, unless it cannot know the run yet. Never rejects: the run is stopped for the user whatever the
 * agent receives.
 */
export async function cancelRun(
  client: AgentClient,
  requestId: string,
  { handle, attempts, restored, isRepeated }: Partial<ResumePoint>,
): Promise<StopResult> {
  // No request was sent, and no earlier page or run can have sent one.
  if (attempts === 0 && restored !== true && isRepeated !== true) return 'cancelled'
  const timeout = new AbortController()
  const late = delay(client.environment.clock, CANCEL_TIMEOUT_MS, timeout.signal).then(() => timeout.abort())
  const told = sendCommand(client, { type: 'cancel', requestId, handle }, timeout.signal).catch(() => undefined)
  const answer = await Promise.race([told, late])
  timeout.abort()
  return answer?.result === 'accepted' || answer?.result === 'too-late' ? 'cancelled' : 'left'
}
