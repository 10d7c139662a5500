import type { ArcpJob } from './fold/arcp-state.ts'
import type { StateDraft } from './fold/state-draft.ts'
import type { JobIndex } from './job-index.ts'
import type { ArcpHandle, KeptLease } from './read/handle.ts'
import type { SessionCursors } from './session-cursors.ts'

/** What a handle is made of. */
export interface HandleSource {
  readonly draft: StateDraft
  readonly index: JobIndex
  readonly cursors: SessionCursors
}

/** What is remembered of a run: where its job was read to, and what of it is open. @param job undefined before it is accepted */
export function runHandle(
  { draft, index, cursors }: HandleSource,
  job: ArcpJob | undefined,
  invoke: string,
): ArcpHandle {
  if (job === undefined) {
    // Its acceptance may be said in the session in which it is invoked.
    const { id } = draft.session
    return { invoke, ...(id === undefined ? {} : { sessionId: id, after: cursors.resumeAfter(id) }) }
  }
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
