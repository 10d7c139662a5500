import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { ArcpErrorPayload } from '../schema/error.ts'
import type { ArcpPayload } from '../schema/payloads.ts'
import type { ResumableSession } from './job/dialect-memory.ts'
import type { FramePayload } from './schema/payloads.ts'

/** What is asked of a runtime, where the app does not say. No credentials: nothing here would use them. */
const FEATURES = [
  'heartbeat',
  'ack',
  'list_jobs',
  'subscribe',
  'lease_expires_at',
  'cost.budget',
  'model.use',
  'progress',
  'result_chunk',
  'agent_versions',
]

/** The hello that opens a session, or resumes one, made of `session.open`; undefined where it has no bearer token. */
export function helloOf(
  { auth, client, capabilities }: JsonObject,
  session: ResumableSession | undefined,
): FramePayload<'session.hello'> | undefined {
  if (!isJsonObject(auth) || auth.scheme !== 'bearer' || typeof auth.token !== 'string' || auth.token === '')
    return undefined
  const { kind, version, principal } = isJsonObject(client) ? client : {}
  const asked = isJsonObject(capabilities) ? capabilities.features : undefined
  const features = Array.isArray(asked) ? asked.filter((each) => typeof each === 'string') : FEATURES
  return {
    client: {
      name: textOf(kind) ?? 'capstan',
      version: textOf(version) ?? '1',
      principal: textOf(principal),
      fingerprint: undefined,
    },
    auth: { scheme: 'bearer', token: auth.token },
    capabilities: { encodings: ['json'], features, agents: undefined },
    resume: session?.token === undefined ? undefined : resumeOf(session, session.token),
  }
}

/** One event is asked for again: a runtime that has nothing to say again takes the session to be gone. */
function resumeOf({ id, lastSeq }: ResumableSession, token: string): FramePayload<'session.hello'>['resume'] {
  return { session_id: id, resume_token: token, last_event_seq: Math.max(0, lastSeq - 1) }
}

/** What a session can do, in the words of ARCP 1.0; features and agents stay as they are. What version 1.1 lacks is absent. */
export function acceptedOf(
  id: string,
  {
    runtime,
    capabilities = { encodings: undefined, features: undefined, agents: undefined },
  }: FramePayload<'session.welcome'>,
): ArcpPayload<'session.accepted'> {
  const { name: kind, version, fingerprint } = runtime
  const can = { streaming: true, subscriptions: capabilities.features?.includes('subscribe') === true }
  return {
    session_id: id,
    runtime: { kind, version, fingerprint, trust_level: undefined },
    capabilities: { ...capabilities, ...can },
    lease: undefined,
  }
}

/** Whether a session cannot be resumed, and a new one may be opened: not where the client itself is refused, and not for a while. */
export function isRefusedForGood({ code, retryable }: ArcpErrorPayload): boolean {
  return code !== 'UNAUTHENTICATED' && retryable !== true
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
