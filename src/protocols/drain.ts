/** How long the rest of a response is read after the end of its run. */
export const DRAIN_MS = 100

/**
 * Reads the rest of a response after the protocol's own end: a browser lists a response as cancelled that is not read to its end.
 * What fails or takes too long is left.
 */
export async function drain(rest: AsyncIterator<unknown>, wait: (ms: number) => Promise<void>): Promise<void> {
  const isLate = wait(DRAIN_MS).then(() => true)
  const isDone = (): Promise<boolean> =>
    rest.next().then(
      ({ done = false }) => done,
      () => true,
    )
  while (!(await Promise.race([isDone(), isLate])));
}
