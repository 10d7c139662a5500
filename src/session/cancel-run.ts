import { delay } from '../base/ports/delay.ts'
import type { AgentClient } from './agent-client.ts'
import { sendCommand } from './send-command.ts'

/**
 * What is known of a run that the user has stopped. `cancelled`: the agent has confirmed that it no longer works on it. `left`: the
 * agent cannot be told or has not confirmed, so it may still be working.
 */
export type StopResult = 'cancelled' | 'left'

/** How long a cancel is repeated before the page says that the agent may still be working. */
const CANCEL_TIMEOUT_MS = 15_000

/** Asks the agent to stop. Never rejects: the run is stopped for the user whatever the agent receives. */
export async function cancelRun(
  client: AgentClient,
  run: { readonly requestId: string; readonly handle?: unknown },
): Promise<StopResult> {
  const timeout = new AbortController()
  const late = delay(client.environment.clock, CANCEL_TIMEOUT_MS, timeout.signal).then(() => timeout.abort())
  const told = sendCommand(client, { ...run, type: 'cancel' }, timeout.signal).catch(() => undefined)
  const answer = await Promise.race([told, late])
  timeout.abort()
  return answer?.result === 'accepted' || answer?.result === 'too-late' ? 'cancelled' : 'left'
}
