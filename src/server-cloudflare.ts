export type { AgentObject, AgentObjectOptions, AgentObjectStorage } from './server/cloudflare/create-agent-object.ts'
export { createAgentObject } from './server/cloudflare/create-agent-object.ts'
export type { DurableObjectContext, DurableWebSocket } from './server/cloudflare/durable-object.ts'
