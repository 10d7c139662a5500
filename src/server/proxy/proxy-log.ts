import { onAbort } from '../../base/on-abort.ts'
import { backoff } from '../../base/backoff.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import type { BoundCall } from './bind-call.ts'
import { readAdopted } from '../run/end-orphan.ts'
import type { Adopted, EventLog, LogReader, LogWriter } from '../event-log/event-log.ts'
import { isLogExpired, logExpired } from '../http/log-refusals.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import { logResponse } from '../http/log-response.ts'
import type { Answer } from '../http/stream-response.ts'
import { startProxyRun, type ProxyRun } from './proxy-run.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { createRunRecord, type RunRecord } from '../run/run-record.ts'
import type { StreamPlaces } from '../run/stream-places.ts'
import { failoverReader } from '../event-log/failover-reader.ts'
import { SERVER_STOPPING } from '../run/run-verdicts.ts'
import type { Upstream } from './upstream.ts'
import type { ProxyCaller } from './upstream-connection.ts'

export interface ProxyLogOptions {
  readonly log: EventLog
  readonly upstream: Upstream
  readonly clock: Clock
  readonly maxAnswerLength: number
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  readonly maxResumes: number
  readonly stopping: AbortSignal | undefined
  readonly waitUntil: ((run: Promise<void>) => void) | undefined
  onError(error: unknown, context: { readonly requestId: string }): void
}

/** Answers out of a log that an upstream run is carried into. */
export interface ProxyLog {
  answer(call: AssistCall, bound: BoundCall, caller: ProxyCaller, http: IncomingCall): Promise<Answer>
}

/**
 * Most attempts per request. A request that waited for a run that the upstream refused is sent again, so that it gets
 * the reason.
 */
const MOST_TRIES = 3

export function createProxyLog(options: ProxyLogOptions): ProxyLog {
  const { log, upstream, clock, heartbeatMs, stallTimeoutMs, stopping } = options
  const { uuid, random } = systemEnvironment

  return {
    async answer(call, bound, caller, http) {
      const { requestId, lastEventId } = call
      // No key of `createAgentHandler` starts with `proxy`. The user name is last, so it cannot be mistaken for another
      // field.
      const key = `proxy ${upstream.name} ${requestId} ${caller.user}`
      const onError = (error: unknown): void => options.onError(error, { requestId })

      const start = (writer: LogWriter, before?: StreamPlaces, record?: RunRecord): ProxyRun => {
        const { maxAnswerLength, maxResumes } = options
        const leaveWhenStopping = log.adopt !== undefined
        const run = startProxyRun({
          upstream,
          call: bound,
          caller,
          requestId,
          writer,
          before,
          record,
          lastEventId,
          clock,
          random,
          uuid,
          maxAnswerLength,
          retry: backoff({ maxAttempts: maxResumes }),
          stopping,
          leaveWhenStopping,
          onError,
        })
        options.waitUntil?.(run.ended)
        return run
      }

      /** The process that carried the run is gone: this one continues where it stopped. */
      const takeOver = async (reader: LogReader, adopted: Adopted): Promise<void> => {
        const { writer } = adopted
        const record = createRunRecord()
        const before = await readAdopted(reader, adopted, record)
        const complete = before.first === 'response' || before.hasSettled
        if (complete) await writer.close()
        else start(writer, before, record)
      }

      for (let tries = 1; ; tries++) {
        // The upstream runs each request id only once, so repeating a request is always safe.
        const begun = await log.begin(key, { restart: true })
        if (begun.state === 'expired') throw logExpired()
        if (begun.state === 'created') await start(begun.writer).opened
        const followed = failoverReader({
          reader: begun.reader,
          log,
          key,
          adopted: (orphan) => takeOver(begun.reader, orphan),
        })
        const reader = log.adopt === undefined || stopping === undefined ? followed : untilStopping(followed, stopping)
        try {
          return await logResponse({
            reader,
            requestId,
            clock,
            heartbeatMs,
            stallTimeoutMs,
            http,
            onError,
          })
        } catch (error) {
          if (tries >= MOST_TRIES || begun.state === 'created' || !isLogExpired(error)) throw error
        }
      }
    },
  }
}

/** Ends reading when the server stops, because the run that it leaves to the next process never ends here. */
function untilStopping(reader: LogReader, stopping: AbortSignal): LogReader {
  return {
    read: (after, signal) =>
      new Promise((resolve, reject) => {
        const release = onAbort(stopping, () => reject(serverStopping()))
        reader.read(after, signal).then(resolve, reject).finally(release)
      }),
  }
}

function serverStopping(): HttpRefusal {
  return new HttpRefusal({
    status: 503,
    code: SERVER_STOPPING.code,
    message: SERVER_STOPPING.message,
    headers: { 'retry-after': '1' },
  })
}
