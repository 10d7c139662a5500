import type { ChatMessage } from '../../state/turn.ts'

export { isLiveStatus } from '../../state/turn.ts'

/** An answer without anything to show. */
export function isEmptyAnswer({ parts }: ChatMessage): boolean {
  return parts.every(({ type }) => type === 'state')
}
