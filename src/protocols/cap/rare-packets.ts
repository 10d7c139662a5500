import { readRare } from './read/rare-packet.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { retryAfterOf } from '../../wire/http-errors.ts'
import type { AgentEvent } from '../../seam/agent-event.ts'
import { createCapError } from './errors.ts'
import { usualEvent, type CapPacket } from './read/usual-packet.ts'
import { toPart } from './presentation/presentation-part.ts'
import { readPromptEvent } from './presentation/prompt-event.ts'
import type { BodyAnswer } from '../../wire/transport.ts'
import type { Delivery } from '../../seam/protocol.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { toServiceResponse } from './read/read-response.ts'
import type { ServiceResponse } from './schema/response.ts'
import { canonicalUuid } from './values/scalars.ts'

const MOST_RESPONSE_BYTES = 10_000_000
const RESPONSE_STREAM = 'response'
/** Where agents put the words of an answer; `output` itself is a free object (section 3.6). */
const TEXT_KEYS = ['text', 'content', 'answer', 'message', 'response'] as const

/** Reads a JSON answer. Anything but a ServiceResponse to this request is a typed protocol error. */
async function readServiceResponse(answer: BodyAnswer, requestId: string): Promise<ServiceResponse> {
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
function toResponseDeliveries(response: ServiceResponse): readonly Delivery<CapPacket>[] {
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

/**
 * What reads all but text and the end of a stream: presentations, prompts, errors, packets of other generations than G1, and answers in
 * JSON. It is fetched when a client is made, so that it is there when an answer needs it.
 */
export const rarePackets = {
  readRare,
  toEvent,
  readServiceResponse,
  toResponseDeliveries,
  // Named here alone, so that bundlers keep together what both need.
  loadRequests: async () => (await import('./rare-requests.ts')).rareRequests,
}

interface EventContext {
  readonly streamId: string
  /** Number of the packet on this connection, to name parts without an id and a seq. */
  readonly ordinal: number
  /** How many milliseconds the clock of this device is ahead of the server's. @default 0 */
  readonly ahead?: number | undefined
}

/** Any packet as a neutral event. */
export function toEvent(packet: CapPacket, { streamId, ordinal, ahead = 0 }: EventContext): AgentEvent {
  if (packet.op === 'DELTA' || packet.op === 'CLOSE') return usualEvent(packet, streamId)
  if (packet.op === 'EVENT') {
    const { type, id, data } = packet.p
    const asked = type === 'PROMPT' && isJsonObject(data) ? readPromptEvent(id, streamId, data, ahead) : undefined
    if (asked !== undefined) return asked
    const { partId, part } = toPart(packet.p)
    return { type: 'part', streamId, partId: partId ?? `packet-${packet.seq ?? ordinal}`, part }
  }
  const { code, message, severity, details } = packet.p
  const error = createCapError({
    kind: 'runtime',
    code: 'agent_error',
    severity,
    message: message === '' ? 'The agent reported an error and said nothing more about it.' : message,
    agentCode: code,
    retryAfterMs: retryAfterOf(details),
    details,
  })
  if (severity === 'WARNING') return { type: 'warning', streamId, error }
  return { type: severity === 'FATAL' ? 'stream-failed' : 'stream-interrupted', streamId, error }
}
