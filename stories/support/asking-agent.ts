import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import type { Agent } from '../../src/server/run/agent.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'

/** The network of a page whose server is in the page: the real handler, with this agent behind it. */
export function askingAgent(agent: Agent): Fetch {
  const respond = createAgentHandler({ agent })
  return (url, init) => respond(new Request(url, init))
}
