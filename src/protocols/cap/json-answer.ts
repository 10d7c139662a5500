import type { BodyAnswer } from '../../wire/transport.ts'
import type { Delivery } from '../protocol.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { createCapError } from './errors.ts'
import { toServiceResponse } from './read/read-response.ts'
import type { ServiceResponse } from './schema/response.ts'
import { canonicalUuid } from './values/scalars.ts'
import type { CapPacket } from './read/wire-packet.ts'

const MOST_RESPONSE_BYTES = 10_000_000
const RESPONSE_STREAM = 'response'
/** Where agents put the words of an answer; `output` itself is a free object (section 3.6). */
const TEXT_KEYS = ['text', 'content', 'answer', 'message', 'response'] as const

/** Reads a JSON answer. Anything but a ServiceResponse to this request is a typed protocol error. */
export async function readServiceResponse(answer: BodyAnswer, requestId: string): Promise<ServiceResponse> {
  const text = await answer.text({ maxBytes: MOST_RESPONSE_BYTES })
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (cause) {
    throw createCapError({
      kind: 'protocol',
      code: 'invalid_json',
      severity: 'FATAL',
      message: 'The agent announced JSON and sent something else.',
      details: { raw: text.slice(0, 2000) },
      cause,
    })
  }
  const response = toServiceResponse(value)
  if (response !== undefined && response.request_id === canonicalUuid(requestId)) return response
  throw createCapError({
    kind: 'protocol',
    code: 'invalid_response',
    severity: 'FATAL',
    message: response
      ? 'The JSON answer has the request_id of another request. Check the agent, and caches in front of it.'
      : 'The JSON answer is not a ServiceResponse: it needs request_id (UUID), created_at and an output object.',
    details: { raw: text.slice(0, 2000) },
  })
}

/** A ServiceResponse as events: its words as text, whatever else it holds as data, then the end of the run. */
export function toResponseDeliveries(response: ServiceResponse): readonly Delivery<CapPacket>[] {
  const deliveries: Delivery<CapPacket>[] = []
  const output = response.output
  const key = TEXT_KEYS.find((name) => typeof output[name] === 'string' && output[name] !== '')
  if (key !== undefined)
    deliveries.push({ event: { type: 'text', streamId: RESPONSE_STREAM, text: String(output[key]) }, progress: true })
  const rest = Object.fromEntries(Object.entries(output).filter(([name]) => name !== key))
  if (Object.keys(rest).length > 0) {
    deliveries.push({
      event: {
        type: 'part',
        streamId: RESPONSE_STREAM,
        partId: 'output',
        part: { type: 'data', data: rest, viewHint: 'KEY_VALUE' },
      },
      progress: true,
    })
  }
  deliveries.push({ event: { type: 'run-finished', response }, progress: true })
  return deliveries
}
