import type { ServiceRequest } from '../../src/protocols/cap/schema/request.ts'

/** Whether to ask the user anything: a client that says nothing of what it shows may have no way to answer. */
export function canAnswer(request: ServiceRequest): boolean {
  return (request.payload.capabilities?.supported_events?.length ?? 0) > 0
}
