import { createAgentHandler } from 'capstan/server'
import { agent } from './agent.ts'

export default { fetch: createAgentHandler({ agent }) }
