import type { PromptKind } from '../../protocols/prompt.ts'

/** Whether a prompt asks the user to allow something; the other kinds want an answer. */
export function needsApproval(kind: PromptKind): boolean {
  return kind === 'approval' || kind === 'permission'
}
