import type { Connection } from '../../session/connection.ts'

/** A drop shorter than this is not worth a word. */
export const BLINK_MS = 400

/** Lost, and being tried again: waiting for the next attempt, or in the middle of one. */
export function isDown(line: Connection): boolean {
  return line.phase === 'waiting' || (line.phase === 'connecting' && line.attempt > 0)
}

/** The attempt as people count: from one, never above the limit. */
export function attemptOf(line: Connection): number {
  return Math.min(Math.max(1, line.attempt), Math.max(1, line.maxAttempts))
}
