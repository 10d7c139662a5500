/** An id that says how far an answer was read: a server of CAP may choose its ids, and a client gives back the last one. */
const NUMBERED = /\/(\d+)$/

/**
 * The frames of an answer from a server that does not replay from the start: each has its number in its id, and a client that comes back
 * with the id of one gets those behind it. Comments always pass.
 */
export async function* framesAfter(
  lastEventId: string | undefined,
  frames: AsyncIterable<string>,
): AsyncGenerator<string, void> {
  const known = Number(NUMBERED.exec(lastEventId ?? '')?.[1] ?? 0)
  let number = 0
  for await (const frame of frames) {
    if (frame.startsWith(':')) yield frame
    else if ((number += 1) > known) yield frame.replace(/^id: .*$/m, (id) => `${id}/${number}`)
  }
}
