import type { FieldError } from '../../prompt.ts'
import type { AskedPrompt, ArcpHandle } from '../read/handle.ts'
import type { ArcpMessage } from '../read/message.ts'
import { readMessage } from '../read/read-message.ts'
import type { ArcpMetric } from '../schema/telemetry.ts'
import type { ArcpState } from './arcp-state.ts'
import { foldJob } from './fold-job.ts'
import { ask, settlePrompt } from './fold-prompt.ts'
import { OWN_NAME } from '../values/own-name.ts'
import { foldSession } from './fold-session.ts'
import { foldStream } from './fold-stream.ts'
import { jobIdOf } from './job-id-of.ts'
import type { SessionInput } from './session-phase.ts'
import type { StateDraft } from './state-draft.ts'
import { createStateDraft } from './state-draft.ts'

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
}

/**
 * Folds messages into the state of sessions, jobs, prompts, leases, artifacts, metrics and subscriptions. Pure: the state before stays
 * as it is, and is returned when nothing changed. A message counts as often as it is given: leave duplicates out by their id.
 *
 * @example
 * ```ts
 * import { emptyArcpState, foldArcpMessages, readArcpMessage } from 'capstan/arcp'
 *
 * const message = readArcpMessage({ arcp: '1.0', id: 'm1', type: 'log', timestamp: '2026-05-09T13:00:00Z', payload: { level: 'info', message: 'Ready' } })
 * console.log(foldArcpMessages(emptyArcpState, [message]).logs)
 * ```
 */
export function foldMessages(before: ArcpState, messages: Iterable<ArcpMessage>): ArcpState {
  const draft = createStateDraft(before)
  for (const message of messages) foldInput(draft, message)
  return draft.snapshot()
}

/** Folds one input into a draft. */
export function foldInput(draft: StateDraft, input: ArcpInput, { measures = true }: FoldOptions = {}): void {
  if (input.type === 'fact') return foldFact(draft, input.fact)
  foldMessage(draft, input)
  if (input.type === 'metric' && measures) measure(draft, input.payload)
}

function foldMessage(draft: StateDraft, message: ArcpMessage): void {
  foldSession(draft, message)
  foldStream(draft, message)
  foldJob(draft, message)
  switch (message.type) {
    case 'human.input.request':
      return ask(draft, message, { kind: 'input', request: message.payload })
    case 'human.choice.request':
      return ask(draft, message, { kind: 'choice', request: message.payload })
    case 'permission.request':
      return ask(draft, message, { kind: 'permission', request: message.payload })
    case 'human.input.response':
    case 'human.choice.response': {
      // An answer of this client, in a replay: whether it was taken is told by what follows.
      if (message.payload.responded_by === OWN_NAME && message.job_id === undefined) return
      const isDefault = message.payload.responded_by === 'default'
      return settlePrompt(draft, message.correlation_id, isDefault ? 'expired' : 'answered-elsewhere')
    }
    case 'human.input.cancelled': {
      const isLate = message.payload.code === 'DEADLINE_EXCEEDED'
      return settlePrompt(draft, message.correlation_id, isLate ? 'expired' : 'answered-elsewhere')
    }
    case 'lease.granted': {
      const { lease_id: id, permission, resource, operation, expires_at: expiresAt } = message.payload
      const jobId = jobIdOf(draft.current, message)
      settlePrompt(draft, message.correlation_id, 'answered')
      return draft.put('leases', id, { id, jobId, permission, resource, operation, expiresAt, state: 'active' })
    }
    case 'lease.extended': {
      const known = draft.get('leases', message.payload.lease_id)
      if (known?.state === 'active') draft.put('leases', known.id, { ...known, expiresAt: message.payload.expires_at })
      return
    }
    case 'lease.revoked': {
      const known = draft.get('leases', message.payload.lease_id)
      if (known?.state === 'active')
        draft.put('leases', known.id, { ...known, state: 'revoked', reason: message.payload.reason })
      return
    }
    case 'artifact.ref': {
      const { data: _, ...ref } = message.payload
      return draft.put('artifacts', ref.artifact_id, { ...ref, jobId: jobIdOf(draft.current, message) })
    }
    case 'log':
      if (jobIdOf(draft.current, message) === undefined)
        draft.addLog({ ...message.payload, timestamp: message.timestamp })
      return
    case 'subscribe.accepted': {
      const id = message.payload.subscription_id
      return draft.put('subscriptions', id, { id, state: 'open', isBackfilled: false, events: 0 })
    }
    case 'subscribe.event':
      return foldSubscribed(draft, message.subscription_id, message.payload.event)
    case 'subscribe.closed': {
      const known = draft.get('subscriptions', message.payload.subscription_id)
      const { reason, code } = message.payload
      if (known?.state === 'open')
        draft.put('subscriptions', known.id, { ...known, state: 'closed', reason: code ?? reason })
      return
    }
    default:
  }
}

/** What a subscription shows is counted, and folded nowhere else: it may be about the jobs of others. */
function foldSubscribed(draft: StateDraft, subscriptionId: string | undefined, event: unknown): void {
  const known = draft.get('subscriptions', subscriptionId)
  if (known === undefined) return
  if (isEndOfBackfill(event)) draft.put('subscriptions', known.id, { ...known, isBackfilled: true })
  else draft.put('subscriptions', known.id, { ...known, events: known.events + 1 })
}

const BACKFILLED = 'subscription.backfill_complete'

/** Runtimes put its name into `name` or `type` of the payload, or make it the type of the message. */
export function isEndOfBackfill(event: unknown): boolean {
  try {
    const message = readMessage(event)
    return message.type === 'event.emit' ? message.payload.name === BACKFILLED : isNamed(message, BACKFILLED)
  } catch {
    return typeof event === 'object' && event !== null && Reflect.get(event, 'type') === BACKFILLED
  }
}

function isNamed(message: ArcpMessage, name: string): boolean {
  return message.type === 'extension' && message.name === name
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
        // Its job had ended by the answer before the runtime had said that it took the answer.
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
    // What was read since is said again.
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
