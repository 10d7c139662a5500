import type { PromptEnd } from '../../prompt.ts'
import type { ArcpPromptState } from '../fold/arcp-state.ts'

/** How a prompt that ended is told; undefined while it has not, and where the command that answered it tells. */
export function endOf(state: ArcpPromptState): PromptEnd | undefined {
  switch (state) {
    case 'expired':
    case 'withdrawn':
      return state
    case 'answered-elsewhere':
    case 'answered':
      return 'answered'
    case 'declined':
      return 'declined'
    default:
      return undefined
  }
}
