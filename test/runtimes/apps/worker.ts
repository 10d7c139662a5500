import { createAgentHandler } from 'capstan/server'
import { agent } from './agent.ts'

const handler = createAgentHandler({ agent })

export default { fetch: (http: Request): Promise<Response> => handler(http) }
