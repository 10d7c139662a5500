import { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'

/** Longest time a client may take nothing of what is ready for it, in milliseconds. */
export const DEFAULT_STALL_TIMEOUT_MS = 60_000

/** Platform timers with a longer delay fire immediately. */
const LONGEST_TIMER_MS = 2_147_483_647

/** Notices that a client has stopped reading. */
export interface ReaderStallDetector {
  /** Something is ready and waits for the client. */
  waiting(): void
  /** The client took it, or has left. */
  moved(): void
}

/** Calls `onStalled` with a TRANSIENT error once something has been waiting for `timeoutMs`. Infinity: never. */
export function createReaderStallDetector(
  clock: Clock,
  timeoutMs: number,
  onStalled: (error: AgentError) => void,
): ReaderStallDetector {
  let cancel = (): void => {}
  return {
    waiting() {
      cancel()
      if (timeoutMs <= LONGEST_TIMER_MS) cancel = clock.after(timeoutMs, () => onStalled(stalled(timeoutMs)))
    },
    moved() {
      cancel()
    },
  }
}

function stalled(ms: number): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'timeout',
    severity: 'TRANSIENT',
    message: `The client read nothing for ${ms} ms while an answer was ready for it, so its connection was closed. It may connect again and read on.`,
  })
}
