import type { FieldError } from '../../../seam/prompt.ts'
import type { AskedPrompt, ArcpHandle } from '../read/handle.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpMetric } from '../schema/telemetry.ts'
import { foldJob } from './fold-job.ts'
import { settlePrompt } from './fold-prompt.ts'
import { foldStream } from './fold-stream.ts'
import { jobIdOf } from './job-id-of.ts'
import { type SessionInput, SESSION_PHASES } from './session-phase.ts'
import type { StateDraft } from './state-draft.ts'

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
