import type { Clock } from '../../base/ports/clock.ts'
import { systemDigest, type Digest, toUuid } from '../../base/digest.ts'
import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import { type ServiceRequest, serviceRequestSchema } from '../../protocols/cap/schema/request.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { type IncomingCall, invalidBody, invalidRequest, readJsonBody } from './incoming-call.ts'
import { requestFormOf } from '../../protocols/cap/any-request.ts'
import { serviceRequestQuerySchema, serviceRequestV19Schema } from '../../protocols/cap/schema/service-request-g2.ts'

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
 * @throws HttpRefusal 415, 413 or 400, with the reason.
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

/** What is wrong with a request, as text, and where in it. */
interface RequestIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type ReadRequest = { readonly request: ServiceRequest } | { readonly issues: readonly RequestIssue[] }

/** Defaults for what an older form has no field for. */
interface RequestDefaults {
  /** Milliseconds since 1970. */
  readonly date: number
  readonly digest: Digest
}

/**
 * Reads a request in any documented form (CAP section 3.4 and section 7, row 24), validates it against the schema of
 * that form, and converts it to the current form. Fields that an older form lacks get minimal values: an anonymous
 * user, no permissions, its own id as the trace.
 */
async function readDocumentedRequest(body: JsonObject, defaults: RequestDefaults): Promise<ReadRequest> {
  const form = requestFormOf(body)
  if (form === 'today') return outcomeOf(serviceRequestSchema.safeParse(body))
  if (form === 'identity') {
    const parsed = serviceRequestV19Schema.safeParse(body)
    if (!parsed.success) return parsed.error
    const { request_id, context, payload } = parsed.data
    const { created_at: timestamp, ...rest } = payload
    return asOfToday(
      { request_id, context, payload: { ...rest, ...(timestamp !== undefined && { timestamp }) } },
      defaults,
    )
  }
  const parsed = serviceRequestQuerySchema.safeParse(body)
  if (!parsed.success) return parsed.error
  const { request_id, context, payload } = parsed.data
  const { query, files, conversation_id, session_id, meta, ...lineage } = payload
  const session = session_id ?? nonEmpty(context['session_id']) ?? conversation_id ?? request_id
  const inner = { query, ...(files.length > 0 && { files }), ...(conversation_id !== undefined && { conversation_id }) }
  return asOfToday(
    {
      request_id,
      context,
      payload: { ...lineage, session_id: await sessionUuid(session, defaults.digest), payload: inner, metadata: meta },
    },
    defaults,
  )
}

interface OlderRequest {
  readonly request_id: string
  readonly context: JsonObject
  readonly payload: JsonObject
}

function asOfToday({ request_id, context, payload }: OlderRequest, { date }: RequestDefaults): ReadRequest {
  const user = isJsonObject(context['user']) ? context['user'] : {}
  const agent = isJsonObject(context['agent']) ? context['agent'] : {}
  return outcomeOf(
    serviceRequestSchema.safeParse({
      request_id,
      context: {
        session_id: payload['session_id'],
        agent_id: canonicalUuid(agent['id']) ?? '00000000-0000-0000-0000-000000000000',
        user: {
          user_id: nonEmpty(user['id']) ?? nonEmpty(context['user_id']) ?? 'anonymous',
          tier: 'free',
          locale: 'en',
        },
        trace: { trace_id: request_id, span_id: request_id },
        permissions: [],
        created_at: new Date(date).toISOString(),
      },
      payload,
    }),
  )
}

function outcomeOf(parsed: ReturnType<typeof serviceRequestSchema.safeParse>): ReadRequest {
  return parsed.success ? { request: parsed.data } : parsed.error
}

/** UUID of a session: its name if that is a UUID, else derived from the name. The same name gives the same UUID. */
async function sessionUuid(session: string, digest: Digest): Promise<string> {
  return canonicalUuid(session) ?? toUuid(await digest(JSON.stringify(['capstan session', session])))
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
