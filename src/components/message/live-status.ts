import type { ChatMessage, MessageStatus } from '../../state/conversation/message.ts'

/** An answer that may still grow. */
export function isLiveStatus(status: MessageStatus): boolean {
  return status === 'pending' || status === 'streaming'
}

/** An answer without anything to show. */
export function isEmptyAnswer({ parts }: ChatMessage): boolean {
  return parts.every(({ type }) => type === 'state')
}
