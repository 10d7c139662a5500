import type { MessageStatus } from '../../state/message.ts'

/** An answer that may still grow. */
export function isLive(status: MessageStatus): boolean {
  return status === 'pending' || status === 'streaming'
}
