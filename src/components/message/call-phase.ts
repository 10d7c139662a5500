import type { PromptState } from '../../seam/prompt.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import type { MessagePart } from '../../state/conversation/message.ts'
import { promptsOf } from '../../state/conversation/prompts.ts'

/**
 * What a tool call with status `waiting` waits for. `asked`: the user. `sending`, `answered`: the agent, which has not confirmed or
 * not acted on the answer. `refused`: nothing, the user did not allow it.
 */
export type CallPhase = 'asked' | 'sending' | 'answered' | 'refused'

const REFUSED: ReadonlySet<PromptState> = new Set(['declined', 'cancelled'])

/** The phase of a waiting tool call; undefined for any other part. */
export function callPhase(part: MessagePart, { status, messages }: ChatSnapshot): CallPhase | undefined {
  if (part.type !== 'tool-call' || part.status !== 'waiting') return undefined
  const prompt = messages.flatMap(promptsOf).findLast(({ subject }) => subject?.toolCallId === part.id)
  // Without a prompt of its own it shares the state of the chat.
  if (prompt === undefined) return status === 'awaiting-input' ? 'asked' : 'answered'
  const { state, answer, options } = prompt
  if (state === 'open' || state === 'staged' || state === 'unconfirmed') return 'asked'
  const option = answer?.type === 'option' && options?.find(({ id }) => id === answer.optionId)
  const isRefusal =
    answer?.type === 'decline' || answer?.type === 'cancel' || (option && option.kind.startsWith('reject'))
  if (isRefusal || REFUSED.has(state)) return 'refused'
  return state === 'sending' ? 'sending' : 'answered'
}
