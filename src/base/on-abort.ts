import { noop } from './noop.ts'

/** What is called for each signal. A signal has one listener for all of it, because Node warns about more than ten listeners. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back when a signal aborts, at once if it has, until the returned function is called. For short-lived subscriptions:
 * adding to a set and taking from it costs a fraction of a listener.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) {
    call()
    return () => {}
  }
  const all = waiting.get(signal) ?? listen(signal)
  all.add(call)
  return () => void all.delete(call)
}

/** The reason of a signal as an error, whatever it was aborted with. */
export function abortReason(signal: Pick<AbortSignal, 'reason'>, otherwise: string): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(otherwise)
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  waiting.set(signal, all)
  signal.addEventListener('abort', () => all.forEach((call) => call()), { once: true })
  return all
}

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
