// What a client shows for one ending.
import { setTimeout as wait } from 'node:timers/promises'
import { serveEnding } from './serve-ending.js'
import { HALF, WHOLE, WIRES } from './wires.js'

/** After so long without an end, a client shows what it shows. */
const PATIENCE = 20_000

/** Rejections that no app can catch: a page reports them, and Node ends. The comparison counts them. */
export const rejections = { unhandled: 0 }

/** Asks one question of a client whose server breaks the answer, and gives what is shown then. */
export async function outcomeOf({ wire, ask }, ending) {
  const before = rejections.unhandled
  const server = await serveEnding(WIRES[wire](), ending)
  const asked = ask(server.url)
  // A client that throws where the app would have to catch it.
  let thrown
  const settled = asked.asked.then(
    () => true,
    (error) => {
      thrown = error.message
      return true
    },
  )
  if (ending.stops || ending.breaks) {
    for (let ms = 0; ms < PATIENCE && !asked.shows().text.includes(HALF.trim()); ms += 10) await wait(10)
    if (ending.stops) await asked.stop()
    else server.reset()
  }
  const hasEnded = await Promise.race([settled, wait(PATIENCE, false)])
  // What is published a moment after the promise.
  await wait(50)
  const shown = asked.shows()
  server.close()
  return {
    ...shown,
    error: shown.error ?? thrown,
    posts: server.posts(),
    hasEnded,
    unhandled: rejections.unhandled - before,
  }
}

const brief = (text) => text.replaceAll(/\s+/g, ' ').replaceAll(/[|`]/g, ' ').slice(0, 60).trim()

/** An outcome in a few words. */
export function cellOf({ status, error, text, posts, hasEnded, unhandled }) {
  const said = text === WHOLE ? 'whole text' : text === '' ? 'no text' : text === HALF ? 'half' : `"${brief(text)}"`
  return [
    hasEnded ? status : `${status} after ${PATIENCE / 1000} s`,
    said,
    ...(error === undefined ? [] : [`error \`${brief(error)}\``]),
    ...(posts > 1 ? [`${posts} POSTs`] : []),
    ...(unhandled > 0 ? ['unhandled rejection'] : []),
  ].join('; ')
}
