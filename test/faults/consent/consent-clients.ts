import type { Environment } from '../../../src/base/ports/environment.ts'
import { backoff } from '../../../src/base/backoff.ts'
import { AgUiClient } from '../../../src/protocols/ag-ui/client/ag-ui-client.ts'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'
import type { Fetch } from '../../../src/wire/fetch-transport.ts'
import { virtualFrames } from '../property/virtual-frames.ts'
import type { ConsentSchedule, WireKind } from './consent-schedule.ts'

const AGENT = 'https://agent.test'

/** The client of one page. */
export function clientFor(
  { wire = 'cap', attempts = 6 }: Pick<ConsentSchedule, 'wire' | 'attempts'>,
  fetch: Fetch,
  environment: Environment,
): AgentClient {
  const options = {
    environment,
    retry: backoff({ maxAttempts: attempts, baseMs: 300, capMs: 1500, retryHttp: true }),
  }
  switch (wire) {
    case 'cap':
      return new CapClient({ ...options, baseUrl: AGENT, fetch })
    case 'cap-frames':
      return new CapClient({ ...options, baseUrl: AGENT, transport: virtualFrames(fetch, environment.clock) })
    case 'ag-ui':
      return new AgUiClient({ ...options, url: `${AGENT}/v1/assist`, fetch, resume: 'post' })
  }
}

/** Whether answers are carried by the next run, and a group of prompts is answered together. */
export function carriesAnswersInRuns(wire: WireKind | undefined): boolean {
  return wire === 'ag-ui'
}

/** The id of a prompt in the log, of which a client of another protocol makes one of its own. */
export function loggedId(promptId: string): string {
  return promptId.split('/').at(-1)?.split('.').at(-1) ?? promptId
}
