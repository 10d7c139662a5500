import type { BodyAnswer } from '../../wire/transport.ts'
import { contentTypeErrorInit, httpErrorInit } from '../../wire/http-errors.ts'
import type { CapError } from './errors.ts'
import { createCapError } from './errors.ts'

/**
 * The typed error for an answer with a status outside 2xx. The body helps developers; it never becomes the headline.
 * @param request method and path of the request, named where they are likely to be wrong
 */
export async function toHttpError(answer: BodyAnswer, request?: string): Promise<CapError> {
  return createCapError(await httpErrorInit(answer, request))
}

/** A 2xx answer that is neither an event stream nor JSON (CAP section 7, row 27; a captive portal, a proxy's page). */
export async function toContentTypeError(answer: BodyAnswer): Promise<CapError> {
  return createCapError(await contentTypeErrorInit(answer))
}
