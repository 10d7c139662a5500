import type { JsonObject } from '../../../base/json-object.ts'
import { isExtensionName } from '../../../protocols/arcp/values/message-type.ts'
import { RESERVED_UNITS } from '../../../protocols/arcp/values/reserved-units.ts'
import { principalOf } from '../session/scope.ts'
import type { Artifacts } from './artifacts.ts'
import type { RuntimeJob } from './runtime-job.ts'
import type { Streams } from './job-streams.ts'
import type { Leases } from './leases.ts'
import type { Prompts } from './prompts.ts'
import type { ArcpAnswered, ArcpProgress, ArcpToolContext } from './tool.ts'

/** What the context of a tool is made of. */
export interface ToolServices {
  readonly streams: Streams
  readonly prompts: Prompts
  readonly leases: Leases
  readonly artifacts: Artifacts
}

/** A job whose user may interrupt it. */
export interface Interruptible {
  readonly context: ArcpToolContext
  /** The user wants to say something: it is asked for at once, and the tool waits at its next safe point. */
  interrupt(prompt: string, interruptId: string): void
}

/** What a tool is given beside its arguments. */
export function createToolContext(
  job: RuntimeJob,
  { streams, prompts, leases, artifacts }: ToolServices,
): Interruptible {
  const { session } = job
  const interruptions: Promise<ArcpAnswered<unknown> | undefined>[] = []

  function metric(name: string, value: number, { unit, dims }: { unit?: string; dims?: JsonObject } = {}): void {
    job.emit('metric', { name, value, unit: unit ?? RESERVED_UNITS[name] ?? 'count', ...(dims && { dims }) })
  }

  const context: ArcpToolContext = {
    jobId: job.id,
    sessionId: session.id,
    principal: principalOf(session.scope),
    traceId: job.traceId,
    signal: job.signal,
    progress: (progress) => void job.emit('job.progress', progressOf(progress)),
    log: (level, message, attributes) =>
      void job.emit('log', { level, message, ...(attributes === undefined ? {} : { attributes }) }),
    metric,
    usage({ inputTokens, outputTokens, cost }) {
      if (inputTokens !== undefined) metric('tokens.used', inputTokens, { dims: { kind: 'input' } })
      if (outputTokens !== undefined) metric('tokens.used', outputTokens, { dims: { kind: 'output' } })
      if (cost !== undefined) metric('cost.usd', cost)
    },
    stream: (kind, { contentType } = {}) => streams.open(job, kind, contentType),
    askHuman: (question) => prompts.askInput(job, question),
    choose: (question) => prompts.askChoice(job, question),
    async requestPermission(question) {
      const { seconds, grantId, requestId } = await prompts.askPermission(job, question)
      const lease = leases.grant(job, question, seconds)
      const { permission, resource, operation } = lease
      const expires = new Date(lease.expiresAt).toISOString()
      job.emit(
        'lease.granted',
        { lease_id: lease.id, permission, resource, operation, expires_at: expires },
        { correlation_id: requestId, causation_id: grantId },
      )
      return lease.granted
    },
    async artifact(content, { mediaType, ttlSeconds }) {
      const ref = await artifacts.put(session, { content, mediaType, ttlSeconds })
      job.emit('artifact.ref', ref)
      return ref
    },
    emit(name, payload) {
      if (isExtensionName(name)) job.emit(name, payload)
      else job.emit('event.emit', { name, attrs: payload })
    },
    heartbeat: () => job.beat(),
    safePoint: async () => interruptions.shift(),
  }

  return {
    context,
    interrupt(prompt, interruptId) {
      const answered = prompts.askInput(job, { prompt, schema: {} }, interruptId)
      // Who does not answer lets the job go on.
      interruptions.push(answered.catch(() => undefined))
    },
  }
}

function progressOf({ percent, message, current, total }: ArcpProgress): JsonObject {
  const members = { percent, message, current, total }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
