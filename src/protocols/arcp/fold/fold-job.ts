import type { Usage } from '../../../seam/usage.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpErrorPayload } from '../schema/error.ts'
import type { ArcpMetric } from '../schema/telemetry.ts'
import { SENT_TOO } from '../values/message-type.ts'
import type { ArcpJob } from './arcp-state.ts'
import { withdrawPrompts } from './fold-prompt.ts'
import { jobIdOf } from './job-id-of.ts'
import type { StateDraft } from './state-draft.ts'
import { KEPT_LOGS } from './state-draft.ts'

/** What a message means for the job it is about. The first end of a job holds; nothing follows it. */
export function foldJob(draft: StateDraft, message: ArcpMessage): void {
  if (message.type === 'echo' || message.type === 'extension') return
  if (message.type === 'nack') return foldRefusal(draft, message.correlation_id ?? message.payload.ack_for, message)
  const known = jobOf(draft, message)
  if (known === undefined || known.endedAt !== undefined) return
  const lastMessageId = SENT_TOO.has(message.type) ? known.lastMessageId : message.id
  // Commands about it may be answered in another session.
  const isSaid = known.sessionId === undefined || message.type.startsWith('job.') || message.stream_id !== undefined
  const sessionId = (isSaid ? message.session_id : undefined) ?? known.sessionId
  const job = { ...known, lastMessageId, sessionId }
  const put = (change: Partial<ArcpJob> = {}): void => draft.put('jobs', job.id, { ...job, ...change })
  const end = (change: Partial<ArcpJob>): void => {
    put({ endedAt: message.timestamp, ...change })
    withdrawPrompts(draft, job.id, message.timestamp)
  }
  switch (message.type) {
    case 'job.accepted':
      return put({ state: 'accepted', acceptedAt: message.payload.accepted_at ?? message.timestamp })
    case 'job.started':
      return put({ state: 'running', startedAt: message.payload.started_at ?? message.timestamp })
    case 'job.progress': {
      const { percent, current, total, message: words } = message.payload
      const state = job.state === 'blocked' ? 'blocked' : 'running'
      return put({ state, percent, current, total, message: words ?? job.message })
    }
    case 'job.heartbeat': {
      const { sequence, deadline_ms: deadlineMs, state } = message.payload
      const isEnd = state === 'completed' || state === 'failed' || state === 'cancelled'
      return put({
        heartbeat: { at: message.timestamp, sequence, deadlineMs },
        // A runtime that knows nothing of blocked jobs says that they are running.
        ...(isEnd || job.state === 'blocked' ? {} : { state }),
      })
    }
    case 'job.checkpoint':
      return put({ checkpointId: message.payload.checkpoint_id })
    case 'log':
      return put({ logs: [...job.logs.slice(1 - KEPT_LOGS), { ...message.payload, timestamp: message.timestamp }] })
    case 'metric':
      return put({ usage: addUsage(job.usage, message.payload) })
    case 'tool.result':
    case 'job.completed': {
      const { value, result_ref: ref } = message.payload
      return end({ state: 'completed', result: { value, ref } })
    }
    case 'tool.error':
    case 'job.failed':
      return end(
        message.payload.code === 'CANCELLED'
          ? { state: 'cancelled', cancelled: { reason: message.payload.message } }
          : { state: 'failed', error: message.payload },
      )
    case 'job.cancelled': {
      const { reason, source } = message.payload
      return end({ state: 'cancelled', cancelled: { reason, source } })
    }
    default:
      put()
  }
}

/** What a measurement adds to what the job took; the same where it is of another kind. */
function addUsage(before: Usage | undefined, { name, value, dims }: ArcpMetric): Usage | undefined {
  const add = (key: keyof Omit<Usage, 'currency'>): Usage => ({ ...before, [key]: (before?.[key] ?? 0) + value })
  if (name === 'cost.usd') return add('cost')
  if (name !== 'tokens.used') return before
  if (dims?.kind === 'input') return add('inputTokens')
  if (dims?.kind === 'output') return add('outputTokens')
  return dims?.kind === undefined ? add('totalTokens') : before
}

/** The job of a message; a new one where it is the first message of it. */
function jobOf(draft: StateDraft, message: ArcpMessage): ArcpJob | undefined {
  const id = jobIdOf(draft.current, message)
  const known = draft.get('jobs', id)
  if (known !== undefined) return known
  const invoked = draft.get('jobs', message.correlation_id)
  if (id === undefined) return invoked?.invokeId === invoked?.id ? invoked : undefined
  // What was invoked here has its name now.
  if (invoked !== undefined) {
    draft.remove('jobs', invoked.id)
    // One that was refused for a while was invoked again.
    return { ...invoked, id, endedAt: undefined, error: undefined }
  }
  return message.type.startsWith('job.') ? { id, state: 'accepted', logs: [] } : undefined
}

/** An invocation that was refused: there is no job, and never will be. */
function foldRefusal(
  draft: StateDraft,
  invokeId: string | undefined,
  { payload, timestamp }: { readonly payload: ArcpErrorPayload; readonly timestamp: string },
): void {
  const known = draft.get('jobs', invokeId)
  if (known !== undefined && known.endedAt === undefined)
    draft.put('jobs', known.id, { ...known, state: 'failed', error: payload, endedAt: timestamp })
}
