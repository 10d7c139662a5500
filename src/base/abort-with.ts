/** What follows a signal. The signal has one listener for all of them: Node warns of more than ten. */
const following = new WeakMap<AbortSignal, Set<AbortController>>()

/**
 * Aborts `controller` when `source` aborts, until the returned function is called. For a source that outlives many
 * controllers: `AbortSignal.any` leaves an entry in it for each of them (https://github.com/nodejs/node/issues/55351).
 */
export function abortWith(controller: AbortController, source: AbortSignal): () => void {
  if (source.aborted) controller.abort(source.reason)
  const all = following.get(source) ?? follow(source)
  all.add(controller)
  return () => void all.delete(controller)
}

function follow(source: AbortSignal): Set<AbortController> {
  const all = new Set<AbortController>()
  following.set(source, all)
  source.addEventListener('abort', () => all.forEach((controller) => controller.abort(source.reason)), { once: true })
  return all
}
