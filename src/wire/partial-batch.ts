import type { SseFrame } from './transport.ts'

/**
 * The batch of a chunk that completed nothing: no frame, no comment, no blank line. By identity, so that transports which
 * do not know it go on to give plain empty arrays, which count as signs of life.
 */
export const PARTIAL_BATCH: readonly SseFrame[] = Object.freeze([])

/** A comment, or the end of a block, in text that begins where a line begins. */
const COMPLETES = /(?:^|\n|\r(?!\n))[:\r\n]/

/** Whether whole lines hold a comment or end a block. @param lines undefined when no line is whole yet */
export function completesSomething(lines: string | undefined): boolean {
  return lines !== undefined && COMPLETES.test(lines)
}
