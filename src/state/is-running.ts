import type { ChatSnapshot } from './chat-snapshot.ts'
import { awaitedPrompts } from './conversation/prompts.ts'

/** Whether the agent works, or waits inside of its run for the user: there is something to stop. */
export function isRunning({ status, messages }: ChatSnapshot): boolean {
  return status === 'submitted' || status === 'streaming' || (status === 'awaiting-input' && isAskedInRun(messages))
}

function isAskedInRun(messages: ChatSnapshot['messages']): boolean {
  return awaitedPrompts(messages, true).some(({ prompt }) => prompt.answeredBy === 'command')
}
