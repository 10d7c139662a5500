import type { Clock } from '../../base/clock.ts'
import { systemDigest } from '../../base/digest.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { readDocumentedRequest } from './documented-request.ts'
import { HttpRefusal } from './http-refusal.ts'

/** A POST that can be answered. */
export interface AssistCall {
  readonly request: ServiceRequest
  /** The body as it was sent, with keys the request has no words for. */
  readonly body: JsonObject
  /** Canonical form: lower case with dashes. */
  readonly requestId: string
  /** What the client heard last, opaque; undefined when it has heard nothing. */
  readonly lastEventId: string | undefined
}

/** More would make the answer longer than it helps. */
const MOST_ISSUES = 5

/**
 * Reads and checks a POST (CAP section 6, rules 1 and 2). A request in an older documented form is given as one of today.
 *
 * @throws HttpRefusal 415, 413 or 400, saying what was wrong.
 */
export async function readAssistCall(http: Request, maxBodyBytes: number, clock: Clock): Promise<AssistCall> {
  const mediaType = (http.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: `A request is JSON and this was ${mediaType ? `"${mediaType}"` : 'of no type'}. Send Content-Type: application/json.`,
    })
  }
  const body = parseBody(await readText(http, maxBodyBytes))
  const request = await parseRequest(body, clock)
  const lastEventId = http.headers.get('last-event-id')
  checkRequestId(http.headers.get('x-request-id'), request.request_id)
  return { request, body, requestId: request.request_id, lastEventId: lastEventId || undefined }
}

/** Counts what really comes: Content-Length is a claim. */
async function readText(http: Request, maxBodyBytes: number): Promise<string> {
  const claimed = Number(http.headers.get('content-length') ?? 0)
  if (claimed > maxBodyBytes) throw tooLarge(maxBodyBytes)
  if (!http.body) return ''
  // A byte order mark is no part of JSON, but harmless.
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  const reader = http.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBodyBytes) {
      // Not awaited: a client that goes on sending must not keep us waiting.
      reader.cancel().catch(() => {})
      throw tooLarge(maxBodyBytes)
    }
    text += decode(utf8, value)
  }
  return text + decode(utf8)
}

function decode(utf8: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? utf8.decode(bytes, { stream: true }) : utf8.decode()
  } catch {
    throw invalid('The request body is not UTF-8.')
  }
}

function parseBody(text: string): JsonObject {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`The request body is ${error.message}. Send flatter data.`)
    throw invalid('The request body is not JSON. It may have been cut off on the way.')
  }
  if (!isJsonObject(value)) throw invalid('The request body is JSON, but no object.')
  return value
}

async function parseRequest(body: JsonObject, clock: Clock): Promise<ServiceRequest> {
  const read = await readDocumentedRequest(body, { date: clock.date(), digest: systemDigest })
  if ('request' in read) return read.request
  const issues = read.issues.slice(0, MOST_ISSUES).map((issue) => ({
    path: issue.path.map(String).join('.') || '(body)',
    problem: issue.message,
  }))
  const first = issues[0]
  throw invalid(`The request body is no CAP ServiceRequest: ${first ? `${first.path} ${first.problem}` : 'it has another shape'}.`, { issues })
}

function checkRequestId(header: string | null, requestId: string): void {
  if (header === null || canonicalUuid(header) === requestId) return
  throw invalid('X-Request-ID and the request_id in the body differ. Send the same id in both, or leave the header out.')
}

function invalid(message: string, details?: Readonly<Record<string, unknown>>): HttpRefusal {
  return new HttpRefusal({ status: 400, code: 'invalid_request', message, details })
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal({
    status: 413,
    code: 'request_too_large',
    message: `The request body is over ${limit} bytes, the most this server reads. Send less.`,
  })
}
