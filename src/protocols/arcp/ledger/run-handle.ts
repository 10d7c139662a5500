import type { ArcpJob } from '../fold/arcp-state.ts'
import type { StateDraft } from '../fold/state-draft.ts'
import type { JobIndex } from './job-index.ts'
import type { ArcpHandle, KeptLease } from '../read/handle.ts'
import type { JobPlaces, Places } from './job-places.ts'

/** What a handle is made of. */
export interface HandleSource {
  readonly draft: StateDraft
  readonly index: JobIndex
  readonly places: JobPlaces
}

/** What is remembered of a run: where its job was read to, and what of it is open. @param job undefined before it is accepted */
export function runHandle(
  { draft, index, places }: HandleSource,
  job: ArcpJob | undefined,
  invoke: string,
): ArcpHandle {
  if (job === undefined) return { invoke, ...keptPlaces(places.of(invoke), draft.session.id) }
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
  return { invoke, ...keptPlaces(placesOf(places, job), job.sessionId), jobs: [job.id], streams, prompts, leases }
}

/** How far a job was read; of one that has ended, only its own session is known. */
export function placesOf(places: JobPlaces, job: ArcpJob | undefined): Places {
  const known = places.of(job?.id ?? '')
  return known.size > 0 || job?.sessionId === undefined ? known : new Map([[job.sessionId, job.lastMessageId]])
}

/** @param own the session in which the job runs, or was invoked */
function keptPlaces(places: Places, own: string | undefined): Pick<ArcpHandle, 'sessionId' | 'after' | 'others'> {
  if (own === undefined || !places.has(own)) return {}
  const others = [...places].filter(([sessionId]) => sessionId !== own).map(([id, after = '']) => [id, after] as const)
  const kept = others.length === 0 ? {} : { others: Object.fromEntries(others) }
  return { sessionId: own, after: places.get(own), ...kept }
}

/** The places that a handle has: the session of its own last, which has most to say. */
export function leftPlaces({ sessionId, after, others = {} }: ArcpHandle = {}): Places {
  if (sessionId === undefined) return new Map()
  const before = Object.entries(others).map(([id, last]) => [id, last === '' ? undefined : last] as const)
  return new Map([...before, [sessionId, after] as const])
}
