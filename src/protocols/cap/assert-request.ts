import { createCapError } from './cap-error.ts'
import type { ServiceRequestInput } from './request.ts'
import { serviceRequestSchema } from './request.ts'

/** Refuses what is no ServiceRequest before anything is sent (RFC 004 section 2.1). @throws CapProtocolError `invalid_request` */
export function assertServiceRequest(request: unknown): asserts request is ServiceRequestInput {
  const parsed = serviceRequestSchema.safeParse(request)
  if (parsed.success) return
  const faults = parsed.error.issues.map(({ path, message }) => `${path.length === 0 ? 'the request' : path.join('.')} ${message}`)
  throw createCapError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `This is not a ServiceRequest, so nothing was sent: ${faults.join('; ')}.`,
    details: { faults },
  })
}
