export { type AgentObject, createAgentObject, type DurableObjectContext } from './server/platforms/agent-object.ts'
