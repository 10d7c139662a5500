import type { FieldError } from '../../../seam/prompt.ts'
import type { AskedPrompt, ArcpHandle } from '../read/handle.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpMetric, ArcpChunk, ArcpErrorPayload } from '../schema/payloads.ts'
import {
  type SessionInput,
  SESSION_PHASES,
  type ArcpJob,
  type ArcpStream,
  type ArcpPrompt,
  type ArcpPromptState,
  type ArcpState,
} from './arcp-state.ts'
import { type StateDraft, KEPT_LOGS } from './state-draft.ts'
import type { Usage } from '../../../seam/usage.ts'
import { SENT_TOO } from '../values/vocabulary.ts'

/** What a client did itself, and what was stored of a run of another page. */
export type ArcpFact =
  | { readonly type: 'session-moved'; readonly input: SessionInput }
  | { readonly type: 'invoked'; readonly invokeId: string; readonly tool: string }
  | { readonly type: 'restored'; readonly handle: ArcpHandle; readonly tool: string }
  | { readonly type: 'answer-sent'; readonly promptId: string }
  /** `open` when the answer was refused, with what was wrong with it. */
  | {
      readonly type: 'answer-told'
      readonly promptId: string
      readonly state: 'open' | 'answered' | 'declined' | 'answered-elsewhere'
      readonly errors?: readonly FieldError[] | undefined
    }
  | { readonly type: 'artifact-released'; readonly artifactId: string }

/** One input of the fold: a message that came, or a fact. */
export type ArcpInput = ArcpMessage | { readonly type: 'fact'; readonly fact: ArcpFact }

export interface FoldOptions {
  /** Whether measurements are added up; false for those that were before. @default true */
  readonly measures?: boolean | undefined
  /** Folds messages of rare types. Absent: there are none. */
  readonly foldRare?: FoldMessage | undefined
}

/** Folds a message into a draft. */
export type FoldMessage = (draft: StateDraft, message: ArcpMessage) => void

/** Folds one input into a draft. */
export function foldInput(draft: StateDraft, input: ArcpInput, { measures = true, foldRare }: FoldOptions = {}): void {
  if (input.type === 'fact') return foldFact(draft, input.fact)
  foldSession(draft, input)
  foldStream(draft, input)
  foldJob(draft, input)
  foldRare?.(draft, input)
  if (input.type === 'log' && jobIdOf(draft.current, input) === undefined)
    draft.addLog({ ...input.payload, timestamp: input.timestamp })
  if (input.type === 'metric' && measures) measure(draft, input.payload)
}

/** Adds a measurement to those of its name and dimensions. */
function measure(draft: StateDraft, { name, value, unit, dims }: ArcpMetric): void {
  const key = JSON.stringify([name, unit, Object.entries(dims ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))])
  const known = draft.get('metrics', key)
  const sum = (known?.sum ?? 0) + value
  draft.put('metrics', key, { name, unit, dims, sum, last: value, count: (known?.count ?? 0) + 1 })
}

function foldFact(draft: StateDraft, fact: ArcpFact): void {
  switch (fact.type) {
    case 'session-moved':
      return foldSession(draft, fact)
    case 'invoked':
      return draft.put('jobs', fact.invokeId, {
        id: fact.invokeId,
        invokeId: fact.invokeId,
        tool: fact.tool,
        state: 'queued',
        logs: [],
      })
    case 'restored':
      return restore(draft, fact)
    case 'answer-sent':
    case 'answer-told': {
      const known = draft.get('prompts', fact.promptId)
      if (known?.state === 'withdrawn' && isTaken(fact)) {
        // The answer ended its job before the runtime acknowledged the answer.
        draft.put('prompts', known.id, { ...known, state: fact.state })
        return
      }
      if (known === undefined || (known.state !== 'open' && known.state !== 'sent')) return
      if (fact.type === 'answer-sent') draft.put('prompts', known.id, { ...known, state: 'sent', errors: undefined })
      else if (fact.state !== 'open') settlePrompt(draft, known.id, fact.state)
      else draft.put('prompts', known.id, { ...known, state: fact.state, errors: fact.errors })
      return
    }
    case 'artifact-released': {
      const known = draft.get('artifacts', fact.artifactId)
      const over = new Date(0).toISOString()
      if (known !== undefined) draft.put('artifacts', known.artifact_id, { ...known, expires_at: over })
    }
  }
}

function isTaken(
  fact: Extract<ArcpFact, { type: 'answer-sent' | 'answer-told' }>,
): fact is Extract<ArcpFact, { type: 'answer-told' }> & { readonly state: 'answered' | 'declined' } {
  return fact.type === 'answer-told' && (fact.state === 'answered' || fact.state === 'declined')
}

/** A job of another page, as its handle remembers it. */
function restore(draft: StateDraft, { handle, tool }: Extract<ArcpFact, { type: 'restored' }>): void {
  const { invoke: invokeId, sessionId, after: lastMessageId, streams = {}, prompts = {}, leases = {} } = handle
  for (const id of handle.jobs ?? []) {
    // Messages read since are repeated.
    for (const { id: streamId, jobId } of draft.values('streams')) if (jobId === id) draft.remove('streams', streamId)
    for (const { id: promptId, jobId } of draft.values('prompts')) if (jobId === id) draft.remove('prompts', promptId)
    draft.put('jobs', id, { id, state: 'running', tool, invokeId, sessionId, lastMessageId, logs: [] })
    for (const [streamId, kind] of Object.entries(streams))
      draft.put('streams', streamId, { id: streamId, jobId: id, kind, state: 'open', text: '', chunks: 0 })
    for (const [promptId, asked] of Object.entries(prompts)) restorePrompt(draft, promptId, id, asked)
    for (const [leaseId, kept] of Object.entries(leases))
      if (draft.get('leases', leaseId) === undefined)
        draft.put('leases', leaseId, { id: leaseId, jobId: id, state: 'active', ...kept })
  }
}

function restorePrompt(draft: StateDraft, id: string, jobId: string, asked: AskedPrompt): void {
  const { kind, permission = '', resource = '', operation = '' } = asked
  const state = 'open'
  if (kind === 'input') draft.put('prompts', id, { id, jobId, state, kind, request: { prompt: '' } })
  else if (kind === 'choice') draft.put('prompts', id, { id, jobId, state, kind, request: { prompt: '', options: [] } })
  else draft.put('prompts', id, { id, jobId, state, kind, request: { permission, resource, operation } })
}

/** What a message, or what the client did, means for the session. */
function foldSession(
  draft: StateDraft,
  message: ArcpMessage | { readonly type: 'session-moved'; readonly input: SessionInput },
): void {
  const input = message.type === 'session-moved' ? message.input : message.type
  const before = draft.session
  const phase = isSessionInput(input) ? SESSION_PHASES[before.phase][input] : before.phase
  switch (message.type) {
    case 'session.accepted': {
      const { session_id: id, runtime, capabilities, lease } = message.payload
      return draft.setSession({ phase, id, runtime, capabilities, leaseExpiresAt: lease?.expires_at })
    }
    case 'session.rejected': {
      const { code, message: why } = message.payload
      return draft.setSession({ ...before, phase, error: { code, message: why } })
    }
    case 'session.evicted':
    case 'session.unauthenticated': {
      const { reason } = message.payload
      const why = message.type === 'session.evicted' ? message.payload.message : undefined
      return draft.setSession({ ...before, phase, error: { code: reason, message: why ?? reason } })
    }
    default:
      if (phase !== before.phase) draft.setSession({ ...before, phase, error: undefined })
  }
}

function isSessionInput(type: string): type is SessionInput {
  return Object.hasOwn(SESSION_PHASES.idle, type)
}

/** What a message means for the job it is about. The first end of a job holds; nothing follows it. */
function foldJob(draft: StateDraft, message: ArcpMessage): void {
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

/** Characters of a stream that are kept. */
const KEPT_TEXT = 1_000_000

/** What a message means for the streams. */
function foldStream(draft: StateDraft, message: ArcpMessage): void {
  const id = message.stream_id
  if (id === undefined) return
  const known = draft.get('streams', id)
  switch (message.type) {
    case 'stream.open': {
      const { kind, content_type: contentType, related_job_id: jobId } = message.payload
      // Of one whose job is not known, a part came before this: all of it follows.
      if (known !== undefined && (known.jobId !== undefined || jobId === undefined)) return
      return draft.put('streams', id, { id, jobId, kind, contentType, state: 'open', text: '', chunks: 0 })
    }
    case 'stream.chunk': {
      // Its beginning may be missing; its kind then shows in what it has.
      const { role, content, data } = message.payload
      const kind = role !== undefined ? 'thought' : typeof (content ?? data) === 'string' ? 'text' : 'event'
      const stream = known ?? { id, jobId: message.job_id, kind, state: 'open', text: '', chunks: 0 }
      if (stream.state === 'open') draft.put('streams', id, withChunk(stream, message.payload))
      return
    }
    case 'stream.close':
      if (known?.state === 'open') draft.put('streams', id, { ...known, state: 'closed' })
      return
    case 'stream.error':
      if (known?.state === 'open') draft.put('streams', id, { ...known, state: 'failed', error: message.payload })
      return
    default:
  }
}

/** Text of a chunk of a stream of text or thoughts: runtimes put it into `data` or `content`. */
export function textOf(kind: string, { data, content }: ArcpChunk): string {
  const value = kind === 'thought' ? (content ?? data) : (data ?? content)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a chunk is a repetition of one that came: its number says so. */
export function isRepeated(stream: ArcpStream | undefined, { sequence }: ArcpChunk): boolean {
  return sequence !== undefined && stream?.sequence !== undefined && sequence <= stream.sequence
}

function withChunk(stream: ArcpStream, chunk: ArcpChunk): ArcpStream {
  if (isRepeated(stream, chunk)) return stream
  const { sequence, redacted } = chunk
  const isText = stream.kind === 'text' || stream.kind === 'thought'
  const text = isText ? (stream.text + textOf(stream.kind, chunk)).slice(-KEPT_TEXT) : ''
  const isGap = sequence !== undefined && stream.sequence !== undefined && sequence > stream.sequence + 1
  return {
    ...stream,
    text,
    chunks: stream.chunks + 1,
    ...(sequence === undefined ? {} : { sequence }),
    ...(isGap && stream.missingAfter === undefined ? { missingAfter: stream.sequence } : {}),
    ...(redacted === true ? { redacted } : {}),
  }
}

/** A question has ended. What has ended stays so. */
export function settlePrompt(draft: StateDraft, promptId: string | undefined, state: ArcpPromptState): void {
  const known = draft.get('prompts', promptId)
  if (known === undefined || !isUndecided(known)) return
  draft.put('prompts', known.id, { ...known, state })
  const job = draft.get('jobs', known.jobId)
  const isBlocked = draft.values('prompts').some((other) => other.jobId === known.jobId && isUndecided(other))
  if (job?.state === 'blocked' && !isBlocked) draft.put('jobs', job.id, { ...job, state: 'running' })
}

/** The job has ended: nobody waits for an answer any more. */
function withdrawPrompts(draft: StateDraft, jobId: string, at: string): void {
  if (draft.current.prompts.size === 0) return
  for (const prompt of draft.values('prompts')) {
    if (prompt.jobId !== jobId || !isUndecided(prompt)) continue
    draft.put('prompts', prompt.id, { ...prompt, state: isExpired(prompt, at) ? 'expired' : 'withdrawn' })
  }
}

/** Whether its time had expired, on the clock of the runtime. */
function isExpired({ kind, request }: ArcpPrompt, at: string): boolean {
  return kind !== 'permission' && request.expires_at !== undefined && Date.parse(request.expires_at) <= Date.parse(at)
}

function isUndecided({ state }: ArcpPrompt): boolean {
  return state === 'open' || state === 'sent'
}

type Known = Pick<ArcpState, 'streams' | 'prompts' | 'leases'>

/** The job that a message is about, by its envelope, its stream or its lease; undefined when it is about none. */
export function jobIdOf({ streams, prompts, leases }: Known, message: ArcpMessage): string | undefined {
  if (message.job_id !== undefined) return message.job_id
  switch (message.type) {
    case 'job.accepted':
    case 'job.started':
      return message.payload.job_id
    case 'stream.open':
      return message.payload.related_job_id
    case 'lease.granted':
      return prompts.get(message.correlation_id ?? '')?.jobId
    case 'lease.extended':
    case 'lease.revoked':
      return leases.get(message.payload.lease_id)?.jobId
    default:
      return message.stream_id === undefined ? undefined : streams.get(message.stream_id)?.jobId
  }
}
