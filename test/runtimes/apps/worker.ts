import { waitUntil } from 'cloudflare:workers'
import { createAgentHandler } from 'capstan/server'
import { agent } from './agent.ts'

const waiting = createAgentHandler({ agent, waitUntil })
/** A run of it ends with the request that began it. */
const forgetful = createAgentHandler({ agent, heartbeatMs: 50 })

export default {
  fetch: (http: Request): Promise<Response> =>
    new URL(http.url).pathname.startsWith('/forgetful') ? forgetful(http) : waiting(http),
}
