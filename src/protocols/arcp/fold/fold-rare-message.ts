import { OWN_NAME } from '../values/vocabulary.ts'
import type { ArcpMessage } from '../read/message.ts'
import { readAnyMessage } from '../read/rare-payloads.ts'
import type { ArcpPrompt } from './arcp-state.ts'
import { settlePrompt, jobIdOf } from './fold-message.ts'
import type { StateDraft } from './state-draft.ts'

/** What a message of a rare type means: questions, leases, artifacts and subscriptions. */
export function foldRareMessage(draft: StateDraft, message: ArcpMessage): void {
  switch (message.type) {
    case 'human.input.request':
      return ask(draft, message, { kind: 'input', request: message.payload })
    case 'human.choice.request':
      return ask(draft, message, { kind: 'choice', request: message.payload })
    case 'permission.request':
      return ask(draft, message, { kind: 'permission', request: message.payload })
    case 'human.input.response':
    case 'human.choice.response': {
      // An answer of this client, in a replay: later messages show whether it was accepted.
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
    case 'subscribe.accepted': {
      const id = message.payload.subscription_id
      // A repeated answer reopens nothing, and resets no counter.
      if (draft.get('subscriptions', id) !== undefined) return
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

type Asked = Pick<ArcpPrompt, 'kind' | 'request'>

/** A question: a new one, or one that is asked again and stays as it is. */
function ask(draft: StateDraft, { id, job_id: jobId }: ArcpMessage, asked: Asked): void {
  if (draft.get('prompts', id) !== undefined) return
  // Kind and request belong together: they were put there by one case.
  draft.put('prompts', id, { id, jobId, state: 'open', ...asked } as ArcpPrompt)
  const job = draft.get('jobs', jobId)
  if (job !== undefined && job.endedAt === undefined) draft.put('jobs', job.id, { ...job, state: 'blocked' })
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
    const message = readAnyMessage(event)
    return message.type === 'event.emit' ? message.payload.name === BACKFILLED : isNamed(message, BACKFILLED)
  } catch {
    return typeof event === 'object' && event !== null && Reflect.get(event, 'type') === BACKFILLED
  }
}

function isNamed(message: ArcpMessage, name: string): boolean {
  return message.type === 'extension' && message.name === name
}
