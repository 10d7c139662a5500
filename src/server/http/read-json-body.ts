import { parseBoundedJson } from '../../base/bounded-json.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { IncomingCall } from './incoming-call.ts'
import { tooLarge } from './read-body.ts'

/** What is wrong with a request, as text, and where in it. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** More would make the answer longer than it helps. */
const MOST_ISSUES = 5

/**
 * Reads the body of a POST. Its media type is checked first: a page of another origin cannot send JSON without a preflight.
 *
 * @throws HttpRefusal 415, 413 or 400, with the reason.
 */
export async function readJsonBody(http: IncomingCall, maxBodyBytes: number): Promise<JsonObject> {
  const mediaType = (http.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: `A request is JSON and this was ${mediaType ? `"${mediaType}"` : 'of no type'}. Send Content-Type: application/json.`,
    })
  }
  if (Number(http.header('content-length') ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return parseBody(await http.text(maxBodyBytes))
}

function parseBody(text: string): JsonObject {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (error) {
    if (error instanceof RangeError) throw invalidRequest(`The request body is ${error.message}. Send flatter data.`)
    throw invalidRequest('The request body is not JSON. It may have been cut off on the way.')
  }
  if (!isJsonObject(value)) throw invalidRequest('The request body is JSON, but no object.')
  return value
}

export function invalidRequest(message: string, details?: Readonly<Record<string, unknown>>): HttpRefusal {
  return new HttpRefusal({ status: 400, code: 'invalid_request', message, details })
}

/** The refusal of a body that is JSON of another shape. */
export function invalidBody(what: string, found: readonly Issue[]): HttpRefusal {
  const issues = found.slice(0, MOST_ISSUES).map((issue) => ({
    path: issue.path.map(String).join('.') || '(body)',
    problem: issue.message,
  }))
  const first = issues[0]
  return invalidRequest(
    `The request body is no ${what}: ${first ? `${first.path} ${first.problem}` : 'it has another shape'}.`,
    { issues },
  )
}
