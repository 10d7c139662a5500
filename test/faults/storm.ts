import { AgentError } from '../../src/base/agent-error.ts'
import type { AgentProtocol } from '../../src/seam/protocol.ts'
import type { RetryPolicy } from '../../src/base/backoff.ts'
import { createSession } from '../../src/session/session.ts'
import { worstMinute } from './property/invariants.ts'
import { createVirtualDevice, createVirtualTime, drained } from './property/virtual-world.ts'

export interface Storm {
  readonly clients: number
  /** Milliseconds during which the server refuses every attempt, after it has cut all connections at once. */
  readonly downMs: number
  readonly retry: RetryPolicy
  readonly seed: number
}

export interface StormReport {
  /** Largest share of all clients whose attempts fall into any 100 ms. */
  readonly peakShare: number
  /** Most attempts of one client in any minute. */
  readonly worstMinute: number
  /** Milliseconds from the cut until half of all clients, and 99 in 100, were back. Undefined: they had given up. */
  readonly median: number | undefined
  readonly p99: number | undefined
  readonly gaveUp: number
}

const WINDOW_MS = 100
const CUT_AT = 1000
const UNREACHABLE = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The server is down.',
} as const

/** Cuts the connections of so many real sessions in the same moment, in virtual time, and watches them come back. */
export async function simulateStorm({ clients, downMs, retry, seed }: Storm): Promise<StormReport> {
  const time = createVirtualTime()
  const { environment } = createVirtualDevice(time, seed, 'unlimited')
  const attempts: number[][] = []
  const back: number[] = []
  let gaveUp = 0

  for (let client = 0; client < clients; client += 1) {
    const times: number[] = []
    attempts.push(times)
    const protocol: AgentProtocol<string> = {
      name: 'storm',
      createError: (init) => new AgentError(init),
      async *open({ attempt }) {
        if (attempt > 0) times.push(time.now)
        if (attempt > 0 && time.now < CUT_AT + downMs) throw new AgentError(UNREACHABLE)
        yield {
          deliveries: [
            {
              event: { type: 'text', streamId: 's', text: '.' },
              cursor: { streamId: 's', seq: attempt + 1 },
              progress: true,
            },
          ],
        }
        if (attempt === 0) {
          await new Promise<void>((resolve) => {
            time.after(CUT_AT - time.now, resolve)
          })
          throw new AgentError(UNREACHABLE)
        }
        back.push(time.now - CUT_AT)
        yield { deliveries: [{ event: { type: 'run-finished' }, progress: true }] }
      },
    }
    const onEnded = ({ type }: { readonly type: string }): void => {
      if (type === 'failed') gaveUp += 1
    }
    createSession({
      client: { protocol, retry, timeoutMs: 60_000, environment, createRequest: () => '' },
      request: '',
      requestId: String(client),
      onEvents: () => {},
      onEnded,
    }).start()
  }

  for (;;) {
    await drained()
    if (time.nextAt === undefined) break
    time.fireNext()
  }
  back.sort((a, b) => a - b)
  const reached = (share: number): number | undefined => back[Math.ceil(clients * share) - 1]
  return {
    peakShare: peak(attempts.flat()) / clients,
    worstMinute: Math.max(...attempts.map(worstMinute)),
    median: reached(0.5),
    p99: reached(0.99),
    gaveUp,
  }
}

/** Most attempts in any window, wherever it begins. */
function peak(times: number[]): number {
  times.sort((a, b) => a - b)
  let most = 0
  let first = 0
  for (let last = 0; last < times.length; last += 1) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= WINDOW_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}
