import { controlBody, controlUrl, toCommandResult } from './control-request.ts'
import { writeOlderRequest } from './older-request.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { createCapError } from './errors.ts'
import { urlPath } from './error-url.ts'
import { toContentTypeError, toHttpError } from './http-errors.ts'
import { toHealthCheckResponse } from './read/read-response.ts'
import type { HealthCheckResponse } from './schema/response.ts'
import { isRefusal } from '../../wire/http-errors.ts'
import type { Transport } from '../../wire/transport.ts'

const MOST_BYTES = 100_000

/** GET /health. @throws CapError */
async function requestHealth(
  transport: Transport,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal = new AbortController().signal,
): Promise<HealthCheckResponse> {
  const answer = await transport.send({
    url,
    method: 'GET',
    headers: { ...headers, accept: 'application/json' },
    signal,
  })
  if (answer.kind === 'events') throw notHealth(undefined)
  if (isRefusal(answer.status)) throw await toHttpError(answer, `GET ${urlPath(url)}`)
  if (answer.contentType !== 'application/json') throw await toContentTypeError(answer)
  return parseHealth(await answer.text({ maxBytes: MOST_BYTES }))
}

function parseHealth(text: string): HealthCheckResponse {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (cause) {
    throw notHealth(cause)
  }
  const health = toHealthCheckResponse(value)
  if (health === undefined) throw notHealth(undefined)
  return health
}

function notHealth(cause: unknown): Error {
  return createCapError({
    kind: 'protocol',
    code: 'invalid_response',
    severity: 'FATAL',
    message: 'The answer to GET /health is not a HealthCheckResponse (status, agent_id, version, uptime_seconds).',
    cause,
  })
}

/** Requests that few pages send: commands to a run, requests in the form of an older server, and the question whether an agent is well. */
export const rareRequests = { controlBody, controlUrl, requestHealth, toCommandResult, writeOlderRequest }
