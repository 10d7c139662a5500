import type { JsonObject } from '../../../../base/json-object.ts'
import { isJsonObject } from '../../../../base/json-object.ts'
import type { ArcpJobBounds } from '../../send-command.ts'
import type { ArcpErrorPayload } from '../../schema/payloads.ts'
import type { ArcpOutgoing } from '../../write-message.ts'
import { jobOfSession, saidAfter } from './job-record.ts'
import { said } from './translate-event.ts'
import type { FramePayload } from '../frame/frame-schemas.ts'
import { askHistory, readJob } from './follow-job.ts'
import { type GatewayConnection, refuse, tell, NO_ANSWER } from './gateway-connection.ts'

/** Sends what a message of ARCP 1.0 asks for. What version 1.1 has no word for is refused, and nothing is sent. */
export function sendMessage(gateway: GatewayConnection, message: ArcpOutgoing): void {
  const { id, type } = message
  // Every payload that is written is an object.
  const payload = message.payload as JsonObject
  switch (type) {
    case 'ping':
      if (!gateway.features.has('heartbeat'))
        return tell(gateway, said('pong', { ack_for: id }), { correlation_id: id })
      return void gateway.send('session.ping', { nonce: id, sent_at: gateway.now() })
    case 'session.close':
      // The specification has the first word, the published runtimes the second.
      gateway.send('session.close', { reason: textOf(payload.reason) })
      gateway.send('session.bye', { reason: textOf(payload.reason) })
      gateway.memory.session = undefined
      return
    case 'resume':
      return resume(gateway, message, textOf(payload.after_message_id))
    case 'tool.invoke':
      return invoke(gateway, message, payload)
    case 'cancel': {
      const jobId = textOf(payload.target_id) ?? ''
      gateway.cancels.set(jobId, id)
      return void gateway.send('job.cancel', { reason: textOf(payload.reason) }, { job_id: jobId })
    }
    case 'subscribe':
      return subscribe(gateway, id, payload)
    case 'unsubscribe':
      return unsubscribe(gateway, textOf(payload.subscription_id) ?? '')
    case 'session.list_jobs':
      if (!gateway.features.has('list_jobs')) return refuse(gateway, id, unsupported('lists of jobs'))
      return listJobs(gateway, id, payload)
    case 'session.authenticate':
      return
    default:
      refuse(gateway, id, unsupported(type))
  }
}

/** Jobs are read on one by one. A session of before has nothing to say beside its jobs. */
function resume(
  gateway: GatewayConnection,
  { id, session_id: sessionId }: ArcpOutgoing,
  after: string | undefined,
): void {
  const jobId = jobOfSession(sessionId)
  if (jobId !== undefined) return readJob(gateway, jobId, { id, after })
  // What the runtime says again may be that a job was accepted.
  gateway.barrier(() => tell(gateway, said('ack', { ack_for: id }), { correlation_id: id }))
}

function invoke(
  gateway: GatewayConnection,
  { id, trace_id: traceId, idempotency_key: key }: ArcpOutgoing,
  payload: JsonObject,
): void {
  const { memory, session, requests } = gateway
  // The client says again what it waits for.
  if (requests.has('submit', id)) return
  const invocation = memory.invocations.get(id) ?? { id, traces: [], jobId: undefined }
  memory.invocations.set(id, invocation)
  const record = memory.jobs.get(invocation.jobId ?? '')
  if (record !== undefined) {
    // It was accepted, and the client does not know it.
    record.isShown = true
    for (const message of saidAfter(record, undefined)) gateway.out(message)
    if (!record.isEnded && record.home !== session.id) askHistory(gateway, record)
    return
  }
  const trace = traceId !== undefined && /^[0-9a-f]{32}$/.test(traceId) ? traceId : gateway.uuid().replaceAll('-', '')
  invocation.traces.push(trace)
  // What the app gave.
  const { lease, leaseExpiresAt: expiresAt, maxSeconds } = (payload.bounds ?? {}) as ArcpJobBounds
  const submit: FramePayload<'job.submit'> = {
    agent: textOf(payload.tool) ?? '',
    input: payload.arguments,
    lease_request: lease && Object.fromEntries(Object.entries(lease).map(([name, patterns]) => [name, [...patterns]])),
    lease_constraints: expiresAt === undefined ? undefined : { expires_at: expiresAt },
    idempotency_key: key,
    max_runtime_sec: maxSeconds,
  }
  requests.add({
    kind: 'submit',
    id,
    traceId: trace,
    send: () => void gateway.send('job.submit', submit, { trace_id: trace }),
    refuse(error) {
      // Nobody knows whether it arrived: the client says it again, under the same key.
      if (error === NO_ANSWER) return
      memory.invocations.delete(id)
      refuse(gateway, id, error)
    },
  })
}

/** Only a single job can be subscribed to. */
function subscribe(gateway: GatewayConnection, id: string, { filter, since }: JsonObject): void {
  const { job_id: asked, ...others } = isJsonObject(filter) ? filter : {}
  const jobs: unknown[] = Array.isArray(asked) ? asked : [asked]
  const [jobId] = jobs
  const isOne =
    jobs.length === 1 && typeof jobId === 'string' && Object.values(others).every((each) => each === undefined)
  if (!isOne || !gateway.features.has('subscribe')) return refuse(gateway, id, unsupported('such subscriptions'))
  const after = isJsonObject(since) ? textOf(since.after_message_id) : undefined
  readJob(gateway, jobId, {
    id,
    after: after === '' ? undefined : after,
    subscription: { history: after !== undefined },
  })
}

function unsubscribe(gateway: GatewayConnection, subscriptionId: string): void {
  for (const [jobId, followed] of gateway.allFollowed()) {
    if (!followed.subscriptions.delete(subscriptionId) || followed.subscriptions.size > 0) continue
    const record = gateway.memory.jobs.get(jobId)
    if (record === undefined || record.isShown) continue
    gateway.send('job.unsubscribe', { job_id: jobId })
    // It is no longer reported: callers that need it request its history.
    record.home = undefined
  }
}

function listJobs(gateway: GatewayConnection, id: string, payload: JsonObject): void {
  gateway.requests.add({
    kind: 'list',
    id,
    send: () => void gateway.send('session.list_jobs', payload),
    refuse: (error) => refuse(gateway, id, error),
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function unsupported(what: string): ArcpErrorPayload {
  return { code: 'UNIMPLEMENTED', message: `ARCP 1.1 has no ${what} that the agent takes.`, retryable: false }
}
