import type { ArcpPrompt, ArcpPromptState } from './arcp-state.ts'
import type { StateDraft } from './state-draft.ts'

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
export function withdrawPrompts(draft: StateDraft, jobId: string, at: string): void {
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
