import { invalidTransport } from '../duplex-errors.ts'
import type { TransportRequest } from '../transport.ts'

/** What HTTP says beside a body, as the key `http` of the first frame. */
export interface RequestHead {
  readonly method: TransportRequest['method']
  readonly headers: Readonly<Record<string, string>>
}

/** What HTTP says before a body, as the first frame of an answer. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Begins a frame that gives the position of the packets after it, where they do not hold it themselves. No packet begins so. */
export const POSITION = '{"last_event_id":'

/**
 * The first frame of a connection: the body of a request with one key more. The models of CAP leave keys out that they do not
 * know, so that an agent that reads no `http` can answer it too.
 *
 * @throws AgentError `invalid_config` for a body that is no JSON object
 */
export function writeRequestFrame({ method, headers, body = '{}' }: TransportRequest): string {
  const head: RequestHead = { method, headers }
  const keys = body.trim()
  if (!keys.startsWith('{')) throw invalidTransport('Only requests whose body is a JSON object go over a WebSocket.')
  const begun = keys.slice(0, -1).trimEnd()
  return `${begun}${begun === '{' ? '' : ','}"http":${JSON.stringify(head)}}`
}
