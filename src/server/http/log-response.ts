import type { Clock } from '../../base/clock.ts'
import type { LogReader } from '../event-log/event-log.ts'
import { streamResponse } from './stream-response.ts'

export interface LogResponseOptions {
  readonly reader: LogReader
  readonly requestId: string
  readonly clock: Clock
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/** The answer a log holds: an event stream, or one JSON body. Its first entry says which, so a replay is of the same kind. */
export async function logResponse(options: LogResponseOptions): Promise<Response> {
  const { reader, requestId, signal } = options
  const slice = await reader.read(0, signal)
  const first = slice.entries[0]
  if (first?.kind === 'response') {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId }
    return new Response(first.text, { headers })
  }
  return streamResponse({ ...options, first: slice })
}
