import type { Connection } from '../../session/connection.ts'

/** A drop shorter than this is not worth a message. */
export const BLINK_MS = 400

/** Lost, and being tried again: waiting for the next attempt, or in the middle of one. */
export function isDown(connection: Connection): boolean {
  return connection.phase === 'waiting' || (connection.phase === 'connecting' && connection.attempt > 0)
}

/** The attempt as people count: from one, never above the limit. */
export function attemptOf(connection: Connection): number {
  return Math.min(Math.max(1, connection.attempt), Math.max(1, connection.maxAttempts))
}
