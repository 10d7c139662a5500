import { createAgentHandler } from 'capstan/server'
import { agent } from './agent'
import { authorize } from './authorize'

/** Answers requests below /agent. Conversations are in the memory of this process: the option `conversations` keeps them elsewhere. */
export const handler = createAgentHandler({ agent, authorize })
