import type { IdentityServiceRequest, QueryServiceRequest } from './any-request.ts'
import { requestFormOf } from './any-request.ts'
import { assertServiceRequest } from './assert-request.ts'
import { createCapError } from './errors.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { CapDialect } from './older-server.ts'
import type { ServiceRequestInput } from './schema/request.ts'
import { stringifyWellFormed } from '../../base/bounded-json.ts'

type OlderDialect = Exclude<CapDialect, 'G1'>
type Identity = IdentityServiceRequest['context']['user']

/** Placeholder for an agent without a name. */
const NO_AGENT = /^[0-]+$/

/**
 * The body of a request as a server of an older generation reads it (CAP section 3.4). One that has that form already stays as
 * it is. Loaded only by clients configured for such a server.
 *
 * @param body a ServiceRequest as JSON
 * @throws CapProtocolError `invalid_request` when it is none, is in the form of another generation, or asks for something that the form has no place for
 */
export function writeOlderRequest(body: string, dialect: OlderDialect): string {
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
