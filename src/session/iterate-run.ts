import type { AgentClient } from './agent-client.ts'
import type { Phase } from './connection.ts'
import type { Ending } from './session.ts'
import type { SessionEvent } from './take-batch.ts'
import { createSession } from './session.ts'
import type { RunLog } from './run-log.ts'

/**
 * A run as an async iterable of batches. The line is read no faster than the batches are taken; leaving
 * the loop or aborting stops the run. Ends quietly when finished or stopped; throws when the run failed.
 */
export async function* iterateRun<Request, Source>(
  client: AgentClient<Request, Source>,
  request: Request,
  requestId: string,
  signal?: AbortSignal,
  log?: RunLog,
): AsyncGenerator<readonly SessionEvent<Source>[], Ending> {
  if (signal?.aborted) return { type: 'stopped' }
  const { clock, report } = client.environment
  let batch: readonly SessionEvent<Source>[] | undefined
  let ending: Ending | undefined
  let before: Phase | undefined
  let wake = noop
  let release = noop

  const tell = (listener: () => void): void => {
    try {
      listener()
    } catch (cause) {
      report(cause)
    }
  }

  const session = createSession({
    client,
    request,
    requestId,
    onConnection({ phase, attempt, maxAttempts, nextRetryAt = 0, error }) {
      if (phase === 'waiting' && before !== phase && error) tell(() => log?.onRetry?.({ requestId, attempt, maxAttempts, delayMs: nextRetryAt - clock.now(), error }))
      before = phase
    },
    onEvents(events) {
      for (const { event } of events) if (event.type === 'warning') tell(() => log?.onWarning?.(event.error, { requestId }))
      batch = events
      wake()
      return new Promise<void>((resolve) => {
        release = resolve
      })
    },
    onEnded(end) {
      ending = end
      wake()
    },
  })
  const stop = (): void => void session.stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    session.start()
    for (;;) {
      if (ending !== undefined) break
      if (batch === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const ready = batch
      batch = undefined
      yield ready
      release()
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    await session.stop()
    release()
  }
  if (ending.type === 'failed') throw ending.error
  return ending
}

function noop(): void {}
