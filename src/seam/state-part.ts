import type { AgentPart } from './agent-event.ts'

/** The shared state, as a part of the answer whose run sent it last. */
export type StatePart = Extract<AgentPart, { readonly type: 'state' }>

/** Every answer has one such part at most: what the run says later replaces it. */
export const STATE_PART_ID = 'state'

/** The state as the agent has it now. @param edit id of the edit of the user that the run has taken along */
export function statePart(state: unknown, edit?: string): StatePart {
  return { type: 'state', state, ...(edit !== undefined && { edit }) }
}

/** What is wrong with a patch that was not applied. */
export const STATE_KEPT = {
  kind: 'protocol',
  code: 'invalid_packet',
  severity: 'WARNING',
  message:
    'A change of the shared state does not fit the state that is here. It was left out; the next whole state corrects it.',
} as const
