import { readServiceResponse, toResponseDeliveries } from './json-answer.ts'
import { readRare } from './read/rare-packet.ts'
import { toEvent } from './to-event.ts'

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
