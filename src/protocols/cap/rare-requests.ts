import { parseBoundedJson, stringifyWellFormed } from '../../base/bounded-json.ts'
import { createCapError, toContentTypeError, toHttpError, urlPath } from './errors.ts'
import { toHealthCheckResponse } from './read/read-response.ts'
import type { HealthCheckResponse } from './schema/response.ts'
import { isRefusal } from '../../wire/http-errors.ts'
import type { Transport, TransportAnswer } from '../../wire/transport.ts'
import { errorInit } from '../../base/agent-error.ts'
import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import { notTheAgent, readCommandReply } from '../../wire/command-reply.ts'
import type { Command, CommandResult } from '../../seam/command.ts'
import type { FieldError, PromptEnd } from '../../seam/prompt.ts'
import type { ControlName } from './handle.ts'
import { writeAnswer } from './presentation/prompt-answer.ts'
import { type IdentityServiceRequest, type QueryServiceRequest, requestFormOf } from './any-request.ts'
import { assertServiceRequest } from './assert-request.ts'
import type { CapDialect } from './endpoint.ts'
import type { ServiceRequestInput } from './schema/request.ts'

/** Placeholder for an agent without a name. */
const NO_AGENT = /^[0-]+$/

/** Nothing is served there. */
const ABSENT: ReadonlySet<number> = new Set([405, 501])

const PROMPT_ENDS: readonly PromptEnd[] = ['answered', 'declined', 'cancelled', 'expired', 'withdrawn']

/** Ends of a run that a server reports from the log of the run, which then has nothing of the command. */
const LOGGED_ENDS: ReadonlySet<unknown> = new Set(['finished', 'cancelled', 'failed', 'interrupted'])

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

/** Control endpoints are beside the assist endpoint: `/v1/assist` has `/v1/runs/{request_id}/cancel`. */
export function controlUrl(assist: string, requestId: string, name: ControlName): string {
  return `${assist.slice(0, assist.lastIndexOf('/'))}/runs/${encodeURIComponent(requestId)}/${name}`
}

export function controlBody(command: Command): object {
  switch (command.type) {
    case 'answer':
      return { prompt_id: command.promptId, answer_id: command.answerId, answer: writeAnswer(command.answer) }
    case 'say':
      return { message_id: command.messageId, text: command.text }
    default:
      return {}
  }
}

/**
 * The result of a command, from the server's reply.
 *
 * @throws CapError when it is not known what became of the command, or the server refused it for good
 */
async function toCommandResult(answer: TransportAnswer, name: ControlName, request: string): Promise<CommandResult> {
  const { status } = answer
  if (ABSENT.has(status)) return { result: 'unsupported' }
  const isSettled = status === 409 || status === 410
  if (answer.kind === 'body' && isRefusal(status) && !isSettled && status !== 422) {
    const error = await toHttpError(answer, request)
    if (status !== 404) throw error
    if (error.agentCode !== 'run_not_found') return { result: 'unsupported' }
    // The run is not there any more, or not there yet: a cancel may overtake the request it is about.
    if (name !== 'cancel') return { result: 'too-late' }
    throw createCapError({ ...errorInit(error), severity: 'TRANSIENT' })
  }
  const { body, fault } = await readCommandReply(answer)
  if (body === undefined) throw createCapError(fault)
  if (isSettled) return tooLate(body)
  if (status === 422) return { result: 'invalid', errors: fieldErrors(body) }
  if (body.result === 'accepted') return { result: 'accepted' }
  throw createCapError(notTheAgent(answer, JSON.stringify(body)))
}

function tooLate({ code, details }: JsonObject): CommandResult {
  const { state, ended, answer_id: answerId } = isJsonObject(details) ? details : {}
  const end = code === 'prompt_expired' ? 'expired' : PROMPT_ENDS.find((each) => each === state)
  if (end !== undefined) return { result: 'too-late', end, ...(typeof answerId === 'string' ? { answerId } : {}) }
  return LOGGED_ENDS.has(ended) ? { result: 'too-late', end: 'withdrawn' } : { result: 'too-late' }
}

function fieldErrors({ details }: JsonObject): readonly FieldError[] {
  if (!isJsonObject(details) || !Array.isArray(details.errors)) return []
  return details.errors.flatMap((error: unknown) =>
    isJsonObject(error) && typeof error.path === 'string' && typeof error.message === 'string'
      ? [{ path: error.path, message: error.message }]
      : [],
  )
}

type OlderDialect = Exclude<CapDialect, 'G1'>

type Identity = IdentityServiceRequest['context']['user']

/**
 * The body of a request as a server of an older generation reads it (CAP section 3.4). One that has that form already stays as
 * it is. Loaded only by clients configured for such a server.
 *
 * @param body a ServiceRequest as JSON
 * @throws CapProtocolError `invalid_request` when it is none, is in the form of another generation, or asks for something that the form has no place for
 */
function writeOlderRequest(body: string, dialect: OlderDialect): string {
  const request: unknown = JSON.parse(body)
  assertServiceRequest(request)
  const form = requestFormOf(request)
  if (form === 'today')
    return stringifyWellFormed(dialect === 'v0.24' ? toIdentityRequest(request) : toQueryRequest(request, dialect))
  if (form !== (dialect === 'v0.24' ? 'identity' : 'query'))
    throw refused(`it is in the form of another generation than ${dialect}, to which dialect is set`)
  // The wire format document admits any context, these servers do not.
  if (form === 'query' && !hasIdentity(request.context))
    throw refused(`a server of ${dialect} needs context.session_id and context.user with id and name`)
  return body
}

function toIdentityRequest(request: ServiceRequestInput): IdentityServiceRequest {
  const { session_id, payload, metadata = {}, timestamp } = request.payload
  return {
    request_id: request.request_id,
    context: contextOf(request),
    payload: {
      ...lineageOf(request),
      session_id,
      payload,
      metadata,
      ...(timestamp !== undefined && { created_at: timestamp }),
    },
  }
}

function toQueryRequest(request: ServiceRequestInput, dialect: OlderDialect): QueryServiceRequest {
  const { session_id, payload, metadata: meta = {} } = request.payload
  const { query, files = [], ...others } = payload
  if (typeof query !== 'string') throw refused('payload.payload.query must be a string')
  if (!isListOfText(files)) throw refused('payload.payload.files must be a list of strings')
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw refused(
      `a server of ${dialect} has no key for payload.payload.${other}: upload files and send their ids, and put other data into the metadata`,
    )
  return {
    request_id: request.request_id,
    context: contextOf(request),
    payload: {
      ...lineageOf(request),
      query,
      files,
      conversation_id: session_id,
      ...(dialect === 'v0.18' && { session_id }),
      meta,
    },
  }
}

function contextOf({
  context: { session_id, user, agent_id },
}: ServiceRequestInput): IdentityServiceRequest['context'] {
  return {
    session_id,
    user: identityOf(user),
    ...(!NO_AGENT.test(agent_id) && { agent: { id: agent_id, name: agent_id } }),
  }
}

/** G1 has no key for a name, though an app may give one; a user who did not sign in has the name that those servers use. */
function identityOf({
  user_id: id,
  name,
  role,
}: ServiceRequestInput['context']['user'] & { readonly name?: unknown; readonly role?: unknown }): Identity {
  const isAnonymous = id === 'anonymous'
  return {
    id,
    name: typeof name === 'string' ? name : isAnonymous ? 'Anonymous User' : id,
    ...(typeof role === 'string' ? { role } : isAnonymous && { role: 'user' }),
  }
}

function lineageOf({
  request_id: outer,
  payload: { request_id = outer, root_request_id, parent_request_id },
}: ServiceRequestInput): object {
  return { request_id, ...(root_request_id && { root_request_id }), ...(parent_request_id && { parent_request_id }) }
}

function hasIdentity(context: unknown): boolean {
  if (!isJsonObject(context) || typeof context.session_id !== 'string' || !isJsonObject(context.user)) return false
  return typeof context.user.id === 'string' && typeof context.user.name === 'string'
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function refused(why: string): Error {
  return createCapError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `The request cannot be sent to this server, so nothing was sent: ${why}.`,
  })
}
