import type { ArcpJob, ArcpPromptState } from '../fold/arcp-state.ts'
import type { StateDraft } from '../fold/state-draft.ts'
import type { ArcpHandle, KeptLease } from '../read/handle.ts'
import type { JobPlaces, Places } from './places.ts'
import type { JobBefore } from '../presentation/job-events.ts'
import type { ArcpMessage } from '../read/message.ts'

/** Streams, prompts and leases of each job, by id, so that they need not be searched for. */
interface JobIndex {
  streams(jobId: string): Iterable<string>
  prompts(jobId: string): Iterable<string>
  leases(jobId: string): Iterable<string>
  addStream(jobId: string, streamId: string): void
  addPrompt(jobId: string, promptId: string): void
  addLease(jobId: string, leaseId: string): void
  delete(jobId: string): void
}

export function createJobIndex(): JobIndex {
  const streams = new Map<string, Set<string>>()
  const prompts = new Map<string, Set<string>>()
  const leases = new Map<string, Set<string>>()

  function add(to: Map<string, Set<string>>, jobId: string, id: string): void {
    const ids = to.get(jobId)
    if (ids === undefined) to.set(jobId, new Set([id]))
    else ids.add(id)
  }

  return {
    streams: (jobId) => streams.get(jobId) ?? [],
    prompts: (jobId) => prompts.get(jobId) ?? [],
    leases: (jobId) => leases.get(jobId) ?? [],
    addStream: (jobId, id) => add(streams, jobId, id),
    addPrompt: (jobId, id) => add(prompts, jobId, id),
    addLease: (jobId, id) => add(leases, jobId, id),
    delete(jobId) {
      streams.delete(jobId)
      prompts.delete(jobId)
      leases.delete(jobId)
    },
  }
}

/** What a handle is made of. */
interface HandleSource {
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

/** What is known of the job of a message, to compare it with what follows. */
export function jobBefore(
  { draft, index }: { readonly draft: StateDraft; readonly index: JobIndex },
  { stream_id: streamId }: ArcpMessage,
  jobId: string | undefined,
): JobBefore {
  const prompts = new Map<string, ArcpPromptState>()
  for (const id of index.prompts(jobId ?? '')) {
    const prompt = draft.get('prompts', id)
    if (prompt !== undefined) prompts.set(id, prompt.state)
  }
  return { job: draft.get('jobs', jobId), stream: draft.get('streams', streamId), prompts }
}
