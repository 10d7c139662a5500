import { delay } from '../base/ports/delay.ts'
import type { AgentClient, StopResult } from './agent-client.ts'
import type { ResumePoint } from './resume-point.ts'
import { sendCommand } from './send-command.ts'

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
