import { noop } from './noop.ts'
import { onAbort } from './on-abort.ts'

/**
 * Aborts `controller` when `source` aborts, until the returned function is called. For a source that outlives many
 * controllers: `AbortSignal.any` leaves an entry in it for each of them (https://github.com/nodejs/node/issues/55351).
 *
 * @param source undefined: nothing aborts
 */
export function abortWith(controller: { abort(reason: unknown): void }, source: AbortSignal | undefined): () => void {
  if (source === undefined) return noop
  return onAbort(source, () => controller.abort(source.reason))
}
