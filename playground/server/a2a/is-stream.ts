import type { Agent, AgentOutput } from '../../../src/server.ts'

/** Whether an agent answers piece by piece. */
export function isStream(answer: Awaited<ReturnType<Agent>>): answer is AsyncIterable<AgentOutput, string | void> {
  return typeof answer === 'object' && Symbol.asyncIterator in answer
}
