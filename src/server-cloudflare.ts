export {
  createAgentObject,
  type AgentObject,
  type AgentObjectOptions,
  type AgentObjectStorage,
} from './server/cloudflare/create-agent-object.ts'
export type { DurableObjectContext, DurableWebSocket } from './server/cloudflare/durable-object.ts'
