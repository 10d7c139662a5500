import type { ArcpPromptState } from '../fold/arcp-state.ts'
import type { StateDraft } from '../fold/state-draft.ts'
import type { JobIndex } from './job-index.ts'
import type { JobBefore } from '../presentation/job-events.ts'
import type { ArcpMessage } from '../read/message.ts'

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
