import type { Environment } from '../../../base/ports/environment.ts'
import { createCapError } from '../errors.ts'
import { PRESENTATION_TYPES } from '../presentation/presentation-types.ts'
import type { ClientCapabilities, ServiceRequestInput, SessionContext } from '../schema/request.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import { sharedIn } from '../../../seam/shared-in.ts'

/**
 * What the app knows about who is asking (SessionContext, cap.md section 3.4). Whatever is left out gets a
 * neutral default; permissions are never invented.
 */
export interface CapContext {
  /** The agent that is asked, as a UUID. @default '00000000-0000-0000-0000-000000000000' */
  readonly agentId?: string | undefined
  /**
   * Who is asking; what is left out of it has the default. `name` and `role` are for servers of older generations
   * (option `dialect`): there the name is `user_id` when none is given.
   *
   * @default `{ user_id: 'anonymous', tier: 'free', locale: 'en' }`
   */
  readonly user?:
    | (Partial<SessionContext['user']> & {
        /** Read by servers of older generations. @default `user_id` */
        readonly name?: string | undefined
        /** Read by servers of older generations. Absent: none is sent. */
        readonly role?: string | undefined
      })
    | undefined
  /** What the user may do, as the agent names it. @default [] */
  readonly permissions?: readonly string[] | undefined
  /** Ids for distributed tracing. @default new ids for each request */
  readonly trace?: Partial<SessionContext['trace']> | undefined
  /** What the page can show. @default every presentation event of CAP, and markdown */
  readonly capabilities?: Partial<ClientCapabilities> | undefined
  /** Added to every request's metadata. @default that of the message alone */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export type CapContextSource = CapContext | ((input: ChatInput) => CapContext | Promise<CapContext>)

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const NO_AGENT = '00000000-0000-0000-0000-000000000000'

/** Wraps a user's message in a G1 ServiceRequest: text as `payload.payload.query`, the conversation as `session_id`. */
export async function createServiceRequest(
  input: ChatInput,
  source: CapContextSource | undefined,
  environment: Environment,
): Promise<ServiceRequestInput> {
  assertUuid('conversationId', input.conversationId)
  assertUuid('requestId', input.requestId)
  const context = (typeof source === 'function' ? await source(input) : source) ?? {}
  const now = new Date(environment.clock.date()).toISOString()
  return {
    request_id: input.requestId,
    context: {
      session_id: input.conversationId,
      agent_id: context.agentId ?? NO_AGENT,
      user: { user_id: 'anonymous', tier: 'free', locale: 'en', ...context.user },
      trace: { trace_id: environment.uuid(), span_id: environment.uuid(), ...context.trace },
      permissions: [...(context.permissions ?? [])],
      created_at: now,
    },
    payload: {
      request_id: input.requestId,
      session_id: input.conversationId,
      ...lineageOf(input),
      timestamp: now,
      payload: { query: input.text, ...filesOf(input.files) },
      capabilities: { supported_events: [...PRESENTATION_TYPES], prefers_markdown: true, ...context.capabilities },
      metadata: { ...context.metadata, ...input.metadata, ...replacesOf(input), ...(await stateOf(input)) },
    },
  }
}

/** CAP section 3.4: a request with a parent names the root of its chain, and one without is its own root. */
function lineageOf({ requestId, lineage = { replaces: [] } }: ChatInput): {
  readonly root_request_id: string
  readonly parent_request_id?: string
} {
  const { rootRequestId, after } = lineage
  if (after === undefined || !UUID.test(after)) return { root_request_id: requestId }
  return {
    root_request_id: rootRequestId !== undefined && UUID.test(rootRequestId) ? rootRequestId : after,
    parent_request_id: after,
  }
}

/** CAP has no key for what is replaced, so it is in the metadata, which are free-form. */
function replacesOf({ lineage }: ChatInput): { readonly replaces?: readonly string[] } {
  const replaces = lineage?.replaces.filter((id) => UUID.test(id)) ?? []
  return replaces.length === 0 ? {} : { replaces }
}

/** The shared state goes with every request, so that an agent without a memory knows it. It is in the metadata, like `replaces`. */
async function stateOf(input: ChatInput): Promise<object> {
  const { current, edit } = await sharedIn(input)
  return { ...(current && { state: current.state }), ...(edit && { state_edit: edit.id }) }
}

/**
 * Files as G1 defines them (cap.md section 3.5): ids in `files`, what is carried along in `parts`, as the blobs of a
 * ChatMessage. Its modalities know no documents: those count as text, and `mime_type` says what they are. `name` is an addition, which
 * servers that do not know it ignore.
 */
function filesOf(files: ChatInput['files'] = []): object {
  const ids: string[] = []
  const parts: object[] = []
  for (const file of files) {
    if (typeof file === 'string') ids.push(file)
    else if (file.data === undefined) ids.push(file.id)
    else
      parts.push({
        type: 'blob',
        content: file.data,
        modality: /^(image|audio|video)\//.exec(String(file.mimeType))?.[1] ?? 'text',
        mime_type: file.mimeType,
        name: file.name,
      })
  }
  return { ...(ids[0] && { files: ids }), ...(parts[0] && { parts }) }
}

function assertUuid(name: string, value: string): void {
  if (UUID.test(value)) return
  throw createCapError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `${name} is ${JSON.stringify(value)}, but CAP carries it as a UUID. Make ids with crypto.randomUUID().`,
  })
}
