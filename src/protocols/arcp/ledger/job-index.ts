/** Streams, prompts and leases of each job, by id, so that they need not be searched for. */
export interface JobIndex {
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
