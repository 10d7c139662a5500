import type { ArcpJob } from './fold/arcp-state.ts'
import type { StateDraft } from './fold/state-draft.ts'
import type { JobIndex } from './job-index.ts'
import type { ArcpHandle, KeptLease } from './read/handle.ts'

/** What is remembered of a job that was accepted: where it was read to, and what of it is open. */
export function jobHandle(draft: StateDraft, index: JobIndex, job: ArcpJob, invoke: string): ArcpHandle {
  const { sessionId, lastMessageId: after } = job
  const streams: Record<string, string> = {}
  for (const id of index.streams(job.id)) {
    const stream = draft.get('streams', id)
    if (stream?.state === 'open') streams[id] = stream.kind
  }
  const prompts: Record<string, NonNullable<ArcpHandle['prompts']>[string]> = {}
  for (const id of index.prompts(job.id)) {
    const prompt = draft.get('prompts', id)
    if (prompt === undefined || (prompt.state !== 'open' && prompt.state !== 'sent')) continue
    const { permission, resource, operation } = prompt.kind === 'permission' ? prompt.request : {}
    prompts[id] = { kind: prompt.kind, permission, resource, operation }
  }
  const leases: Record<string, KeptLease> = {}
  for (const id of index.leases(job.id)) {
    const lease = draft.get('leases', id)
    if (lease?.state !== 'active') continue
    const { permission, resource, operation, expiresAt } = lease
    leases[id] = { permission, resource, operation, expiresAt }
  }
  return { invoke, sessionId, after, jobs: [job.id], streams, prompts, leases }
}
