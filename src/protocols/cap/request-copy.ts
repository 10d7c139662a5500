import { createCapError } from './errors.ts'
import type { ServiceRequestInput } from './schema/request.ts'

/**
 * The request as JSON carries it, shared with nobody: what happens to the object afterwards changes nothing that is sent.
 *
 * @throws CapProtocolError `invalid_request` when it holds something that has no form in JSON
 */
export function copyRequest(request: ServiceRequestInput): ServiceRequestInput {
  try {
    // A copy of the same keys; what is left out, such as undefined, is left out of what is sent as well.
    return JSON.parse(JSON.stringify(request)) as ServiceRequestInput
  } catch (cause) {
    throw createCapError({
      kind: 'protocol',
      code: 'invalid_request',
      severity: 'FATAL',
      message: 'The request cannot be written as JSON, so nothing was sent. See the cause.',
      cause,
    })
  }
}
