/** How long the rest of a response is read after the end of its run. */
export const DRAIN_MS = 100

/**
 * Reads the rest of a response after the protocol's own end: a browser lists a response as cancelled that is not read to its end.
 * What fails or takes too long is left.
 *
 * @returns whether it has ended: then its request is not to be aborted any more
 */
export async function drain(rest: AsyncIterator<unknown>, wait: (ms: number) => Promise<void>): Promise<boolean> {
  const late = wait(DRAIN_MS).then(() => 'late' as const)
  for (;;) {
    const step = await Promise.race([rest.next().catch(() => 'late' as const), late])
    if (step === 'late') return false
    if (step.done === true) return true
  }
}
