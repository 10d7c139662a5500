import type { ChatMessage } from '../../state/message.ts'

export { isLiveStatus } from '../../state/message.ts'

/** An answer without anything to show. */
export function isEmptyAnswer({ parts }: ChatMessage): boolean {
  return parts.every(({ type }) => type === 'state')
}
