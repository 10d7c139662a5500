export type { AgentObject } from './server/cloudflare/create-agent-object.ts'
export { createAgentObject } from './server/cloudflare/create-agent-object.ts'
export type { DurableObjectContext } from './server/cloudflare/durable-object.ts'
