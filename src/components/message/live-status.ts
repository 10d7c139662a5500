import type { MessageStatus } from '../../state/conversation/message.ts'

/** An answer that may still grow. */
export function isLiveStatus(status: MessageStatus): boolean {
  return status === 'pending' || status === 'streaming'
}
