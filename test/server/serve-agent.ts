import type { Agent } from '../../src/server/run/agent.ts'
import type { AgentHandlerOptions } from '../../src/server/handler/agent-handler.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { serve } from './peer.ts'

export interface ServedAgent {
  readonly origin: string
  /** Where to post. */
  readonly url: string
  /** What went to `onError`. */
  readonly errors: readonly unknown[]
}

/** An agent behind a real server, on a clock that does not move. */
export async function serveAgent(agent: Agent, options: Partial<AgentHandlerOptions> = {}): Promise<ServedAgent> {
  const errors: unknown[] = []
  const handler = createAgentHandler({
    agent,
    clock: createManualClock(),
    onError: (error) => errors.push(error),
    ...options,
  })
  const origin = await serve(toNodeListener(handler))
  return { origin, url: `${origin}/v1/assist`, errors }
}

export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** Something an agent waits for until the test lets it continue. */
export function createGate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
