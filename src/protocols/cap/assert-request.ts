import { type AnyServiceRequest, requestFormOf } from './any-request.ts'
import { assertSettled } from '../../base/assert-options.ts'
import { createCapError } from './errors.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { ServiceRequestInput } from './schema/request.ts'
import {
  type Shape,
  absentOr,
  asBoolean,
  asDateTime,
  asObject,
  asText,
  asUuid,
  is,
  list,
  nothingOr,
  object,
} from './read/shape.ts'

const uuid = is(asUuid)
const text = is(asText)
const dateTime = is(asDateTime)

const context = object({
  session_id: uuid,
  agent_id: uuid,
  user: object({ user_id: text, email: nothingOr(text), tier: text, locale: text }),
  trace: object({ trace_id: uuid, span_id: uuid, parent_id: nothingOr(uuid) }),
  permissions: list(text),
  created_at: dateTime,
})

const lineage = { request_id: absentOr(uuid), root_request_id: nothingOr(uuid), parent_request_id: nothingOr(uuid) }

const payloadKeys = object({
  ...lineage,
  session_id: uuid,
  timestamp: absentOr(dateTime),
  payload: is(asObject),
  capabilities: nothingOr(
    object({
      supported_events: absentOr(list(text)),
      prefers_markdown: absentOr(is(asBoolean)),
      image_resolution: nothingOr(text),
    }),
  ),
  metadata: absentOr(is(asObject)),
})

/** CAP section 3.4, "Lineage": asked once the payload is whole. */
const chained =
  (keys: Shape): Shape =>
  (value, path, faults) => {
    const before = faults.length
    keys(value, path, faults)
    if (
      faults.length > before ||
      !isJsonObject(value) ||
      isNothing(value.parent_request_id) ||
      !isNothing(value.root_request_id)
    )
      return
    faults.push(`${path}.root_request_id must name the first request of the chain when parent_request_id is given`)
  }

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

/** The two halves of each documented form. */
const forms = {
  today: { context, payload: chained(payloadKeys) },
  identity: {
    context: object({ session_id: text, user: object({ id: text, name: text }) }),
    payload: chained(payloadKeys),
  },
  query: { context: is(asObject), payload: chained(object({ ...lineage, query: text, files: absentOr(list(text)) })) },
}

/** What is wrong with a request; nothing when it has a documented form. */
export function requestFaults(request: unknown): readonly string[] {
  const faults: string[] = []
  object({ request_id: uuid, ...forms[requestFormOf(request)] })(request, '', faults)
  return faults
}

/** Refuses what is no ServiceRequest before anything is sent (RFC 004 section 2.1). @throws CapProtocolError `invalid_request` */
export function assertServiceRequest(request: unknown): asserts request is ServiceRequestInput {
  const faults = requestFaults(request)
  if (faults.length === 0) return
  throw createCapError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `This is not a ServiceRequest, so nothing was sent: ${faults.join('; ')}.`,
    details: { faults },
  })
}

/**
 * The request as it is sent on every attempt of one run: a copy, held to the shape of a ServiceRequest.
 *
 * @throws CapProtocolError `invalid_request`; AgentError `invalid_config` for a promise
 */
export function prepareRequest(request: AnyServiceRequest): ServiceRequestInput {
  assertSettled('request', request)
  // An older form is passed on unchanged as JSON; only its id is read.
  const copy = copyRequest(request as ServiceRequestInput)
  assertServiceRequest(copy)
  return copy
}

/**
 * The request as JSON carries it, shared with nobody: what happens to the object afterwards changes nothing that is sent.
 *
 * @throws CapProtocolError `invalid_request` when it holds something that has no form in JSON
 */
function copyRequest(request: ServiceRequestInput): ServiceRequestInput {
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
