import { needsApproval, type Prompt } from '../../seam/prompt.ts'
import type { ApprovalStrings } from './prompt-strings.ts'

/** Whether the agent says anything about its prompt. */
export function isWorded({ message }: Pick<Prompt, 'message'>): boolean {
  return message.trim() !== ''
}

/** What a prompt asks: in the words of the agent, else in those of the app. Undefined: nothing names it. */
export function promptQuestion(
  prompt: Pick<Prompt, 'kind' | 'message' | 'subject'>,
  strings: ApprovalStrings,
): string | undefined {
  if (isWorded(prompt)) return prompt.message
  const name = prompt.subject?.name.trim() ?? ''
  return needsApproval(prompt.kind) && name !== '' ? strings.question(name) : undefined
}
