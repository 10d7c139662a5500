import type { Clock } from '../../base/ports/clock.ts'
import { controlHeaders } from './control-headers.ts'
import type { LogReader } from '../event-log/event-log.ts'
import type { IncomingCall } from './incoming-call.ts'
import { readFirst } from './log-chunks.ts'
import { streamAnswer, type Answer } from './stream-response.ts'

export interface LogResponseOptions {
  readonly reader: LogReader
  readonly requestId: string
  readonly clock: Clock
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  /** What else the response says of the run. Absent: nothing. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly http: Pick<IncomingCall, 'signal' | 'leave'>
  /** Called when the log cannot be read on and the answer breaks off. */
  readonly onError: (error: unknown) => void
}

/** The answer a log holds: an event stream, or one JSON body. Its first entry says which, so a replay is of the same kind. */
export async function logResponse(options: LogResponseOptions): Promise<Answer> {
  const { requestId, http } = options
  const { signal } = http
  const slice = await readFirst({ ...options, signal })
  const first = slice.entries[0]
  if (first?.kind === 'response') {
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...options.headers,
    }
    return new Response(first.text, { headers })
  }
  const announced = first?.kind === 'stream' ? controlHeaders(first.control) : {}
  const headers = { ...announced, ...options.headers }
  return streamAnswer({ ...options, headers, first: slice, signal, onLeave: () => http.leave() })
}
