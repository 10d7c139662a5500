import type { ArcpMessage } from './read/message.ts'

/** Whether a message is about the beginning or the end of a session before this one: the log of one that is resumed reports both. */
export function isOfEarlierSession({ type, session_id: sessionId }: ArcpMessage, current: string): boolean {
  return type.startsWith('session.') && sessionId !== undefined && sessionId !== current
}
