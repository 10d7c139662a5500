import { attempt } from '../base/attempt.ts'
import { noop } from '../base/noop.ts'
import type { AgentClient, Session } from './agent-client.ts'
import type { Phase, Ending } from './connection.ts'
import { openRun } from './session.ts'
import type { SessionEvent } from './stream-ledger.ts'
import type { AgentError } from '../base/agent-error.ts'

export interface IterateRunOptions<Request, Source, Item> {
  readonly client: AgentClient<Request, Source>
  readonly requestId: string
  /** Aborting ends the run. Absent: nothing aborts it. */
  readonly signal?: AbortSignal | undefined
  /** Absent: nothing is logged. */
  readonly log?: RunLog | undefined
  /** Called once, when the first item is asked for. */
  createRequest(): Request | Promise<Request>
  /** The item of an event, undefined when it has none. Called when the item is asked for; an error ends the run. */
  read(event: SessionEvent<Source>): Item | undefined
  /** Called when the agent has finished and every event was read. It may throw. Absent: nothing is checked. */
  onFinished?(): void
}

interface Call<Item> {
  resolve(result: IteratorResult<Item, undefined>): void
  reject(error: unknown): void
}

/**
 * Async iterator over the items of a run. Backpressure: the connection is not read while items are left. Ends quietly
 * when the run was finished or stopped, throws when it failed. `return`, `throw` and an abort stop the run at once, and a
 * pending `next` is done then. Written by hand: in an async generator each item costs several promises.
 */
export function iterateRun<Request, Source, Item>(
  options: IterateRunOptions<Request, Source, Item>,
): AsyncIterableIterator<Item, undefined> {
  const { client, requestId, signal, log } = options
  const { clock, report } = client.environment
  /** Calls of `next` that wait, oldest first. */
  const calls: Call<Item>[] = []
  let state: 'new' | 'running' | 'over' = 'new'
  let session: Session | undefined
  let events: readonly SessionEvent<Source>[] = []
  let at = 0
  let ending: Ending | undefined
  let failure: { readonly error: unknown } | undefined
  let release = noop
  let before: Phase | undefined

  const tell = (listener: () => void): void => attempt(report, listener)
  const onAbort = (): void => void end()

  async function begin(): Promise<void> {
    state = 'running'
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const request = await options.createRequest()
      if (state === 'running') start(request)
    } catch (error) {
      failure = { error }
      serve()
    }
  }

  function start(request: Request): void {
    session = openRun({
      client,
      request,
      requestId,
      onConnection({ phase, attempt, maxAttempts, nextRetryAt = 0, error }) {
        if (phase === 'waiting' && before !== phase && error)
          tell(() => {
            const delayMs = Math.max(0, nextRetryAt - clock.now())
            log?.onRetry?.({ requestId, attempt, maxAttempts, delayMs, error })
          })
        before = phase
      },
      onEvents(more) {
        for (const { event } of more)
          if (event.type === 'warning') tell(() => log?.onWarning?.(event.error, { requestId }))
        // A run that reconnects while its reader is busy has events left of the connection before.
        events = at < events.length ? [...events.slice(at), ...more] : more
        at = 0
        serve()
        if (calls.length > 0 || state === 'over') return undefined
        return new Promise((resolve) => {
          release = resolve
        })
      },
      onEnded(end) {
        ending = end
        serve()
      },
    })
    session.start()
  }

  /** The next buffered item; undefined when there is none. */
  function take(): Item | undefined {
    try {
      for (let event = events[at]; event !== undefined; event = events[at]) {
        at += 1
        const item = options.read(event)
        if (item !== undefined) return item
      }
      if (ending?.type === 'finished') options.onFinished?.()
    } catch (error) {
      failure = { error }
    }
    return undefined
  }

  /** Resolves waiting calls with buffered items, in order. */
  function serve(): void {
    while (calls.length > 0) {
      const item = failure === undefined ? take() : undefined
      if (item !== undefined) calls.shift()?.resolve({ done: false, value: item })
      else if (failure !== undefined || ending !== undefined) void end()
      else return
    }
  }

  /** Stops the run and ends all calls: the oldest with the error, if there is one. */
  async function end(): Promise<void> {
    const error = failure ?? (ending?.type === 'failed' ? ending : undefined)
    state = 'over'
    events = []
    signal?.removeEventListener('abort', onAbort)
    if (error !== undefined) calls.shift()?.reject(error.error)
    for (const call of calls.splice(0)) call.resolve({ done: true, value: undefined })
    const stopped = session?.stop()
    release()
    await stopped
  }

  return {
    next() {
      if (state === 'over' || signal?.aborted) {
        void end()
        return Promise.resolve({ done: true, value: undefined })
      }
      if (calls.length === 0) {
        const item = take()
        if (item !== undefined) return Promise.resolve({ done: false, value: item })
      }
      return new Promise((resolve, reject) => {
        calls.push({ resolve, reject })
        if (state === 'new') void begin()
        else if (failure !== undefined || ending !== undefined) void end()
        else release()
      })
    },
    async return() {
      await end()
      return { done: true, value: undefined }
    },
    async throw(error?: unknown) {
      await end()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** A dropped connection that will be resumed. */
export interface RetryNotice {
  readonly requestId: string
  /** Attempts since the last new content, this one included. */
  readonly attempt: number
  /** Attempts that may follow a drop before the run gives up. */
  readonly maxAttempts: number
  /** Milliseconds until the attempt, 0 when it is due. */
  readonly delayMs: number
  /** Why the connection was dropped. */
  readonly error: AgentError
}

/** What a developer may want to log of the runs of a client. */
export interface RunLog {
  /**
   * Called when a connection of `chat()` or `assist()` was dropped and when another attempt comes, once for each wait;
   * while the device is offline, once it is back. What it throws is reported by `environment.report` and changes
   * nothing. Default: no callback.
   */
  readonly onRetry?: ((retry: RetryNotice) => void) | undefined
  /**
   * Called with each ERROR packet of severity WARNING of `chat()` and `assist()`, once. What it throws is reported by
   * `environment.report` and changes nothing. Default: no callback.
   */
  readonly onWarning?: ((warning: AgentError, context: { readonly requestId: string }) => void) | undefined
}
