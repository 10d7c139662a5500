import type { ChatInput } from './chat-input.ts'
import type { SharedState } from './shared-state.ts'

const NOTHING: SharedState = {}

/** What agent and user have made of the shared state. What works that out is loaded with the first state. */
export async function sharedIn({ history = [], stateEdit }: ChatInput): Promise<SharedState> {
  const isShared = stateEdit !== undefined || history.some(({ parts }) => parts.some(({ type }) => type === 'state'))
  return isShared ? (await import('./shared-state.ts')).readSharedState(history, stateEdit) : NOTHING
}
