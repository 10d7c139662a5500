import type { Clock } from '../../base/ports/clock.ts'
import { systemDigest } from '../../base/digest.ts'
import type { JsonObject } from '../../base/json-object.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { readDocumentedRequest } from './documented-request.ts'
import type { IncomingCall } from './incoming-call.ts'
import { invalidBody, invalidRequest, readJsonBody } from './read-json-body.ts'

/** A POST that can be answered. */
export interface AssistCall {
  readonly request: ServiceRequest
  /** The body as it was sent, with keys that are unknown to the request. */
  readonly body: JsonObject
  /** Canonical form: lower case with dashes. */
  readonly requestId: string
  /** What the client heard last, opaque; undefined when it has heard nothing. */
  readonly lastEventId: string | undefined
}

/**
 * Reads and checks a POST (CAP section 6, rules 1 and 2). A request in an older documented form is given as one of today.
 *
 * @throws HttpRefusal 415, 413 or 400, saying what was wrong.
 */
export async function readAssistCall(http: IncomingCall, maxBodyBytes: number, clock: Clock): Promise<AssistCall> {
  return assistCallOf(http, await readJsonBody(http, maxBodyBytes), clock)
}

/** The same for a body that was read already. */
export async function assistCallOf(http: IncomingCall, body: JsonObject, clock: Clock): Promise<AssistCall> {
  const request = await parseRequest(body, clock)
  const lastEventId = http.header('last-event-id')
  checkRequestId(http.header('x-request-id'), request.request_id)
  return { request, body, requestId: request.request_id, lastEventId: lastEventId || undefined }
}

async function parseRequest(body: JsonObject, clock: Clock): Promise<ServiceRequest> {
  const read = await readDocumentedRequest(body, { date: clock.date(), digest: systemDigest })
  if ('request' in read) return read.request
  throw invalidBody('CAP ServiceRequest', read.issues)
}

function checkRequestId(header: string | null, requestId: string): void {
  if (header === null || canonicalUuid(header) === requestId) return
  throw invalidRequest(
    'X-Request-ID and the request_id in the body differ. Send the same id in both, or leave the header out.',
  )
}
