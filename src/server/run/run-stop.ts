import { abortReason } from '../../base/on-abort.ts'

/** What ends a run from outside. An AbortSignal costs more than a packet, so it is made when an agent asks for it. */
export interface RunStop {
  readonly aborted: boolean
  /** What it was aborted with. */
  readonly reason: unknown
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Waits for a promise, or rejects with the reason as soon as the run is stopped. One wait at a time. */
  orStopped<Value>(promise: PromiseLike<Value>): Promise<Value>
  /** Calls back when the run is stopped, at once if it is, until the returned function is called. */
  onStop(call: (error: Error) => void): () => void
}

export function createRunStop(): RunStop {
  const calls = new Set<(error: Error) => void>()
  let stopped: { readonly reason: unknown; readonly error: Error } | undefined
  let controller: AbortController | undefined
  let rejectWait = (_error: Error): void => {}
  return {
    get aborted() {
      return stopped !== undefined
    },
    get reason() {
      return stopped?.reason
    },
    get signal() {
      controller ??= new AbortController()
      if (stopped !== undefined) controller.abort(stopped.reason)
      return controller.signal
    },
    abort(reason) {
      if (stopped !== undefined) return
      const error = abortReason({ reason }, 'The run was aborted.')
      stopped = { reason, error }
      controller?.abort(reason)
      rejectWait(error)
      for (const call of calls) call(error)
      calls.clear()
    },
    orStopped: (promise) =>
      new Promise((resolve, reject) => {
        rejectWait = reject
        if (stopped !== undefined) reject(stopped.error)
        promise.then(resolve, reject)
      }),
    onStop(call) {
      if (stopped === undefined) calls.add(call)
      else call(stopped.error)
      return () => void calls.delete(call)
    },
  }
}
