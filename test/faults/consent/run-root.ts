import type { ChatMessage } from '../../../src/state/turn.ts'

/** Request id of the run that the last question began. Runs that only carry answers continue that run at the agent. */
export function rootOf(messages: readonly ChatMessage[]): string | undefined {
  return (messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.requestId
}
