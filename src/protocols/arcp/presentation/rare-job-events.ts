import type { AgentEvent, AgentPart } from '../../../seam/agent-event.ts'
import { artifactPart } from './artifact-part.ts'
import type { FoldStep } from './job-events.ts'
import { toLease } from './job-lease.ts'
import { toPrompt } from './job-prompt.ts'

/** What a message of a rare type says of its job: questions, leases and artifacts. Pure. */
export function rareJobEvents({ before, after, message, job, offsetMs }: FoldStep): AgentEvent[] {
  const streamId = job.id
  const put = (partId: string, part: AgentPart): AgentEvent => ({ type: 'part', streamId, partId, part })
  switch (message.type) {
    case 'human.input.request':
    case 'human.choice.request':
    case 'permission.request': {
      const asked = after.prompts.get(message.id)
      if (asked === undefined || before.prompts.has(message.id)) return []
      return [{ type: 'prompt', prompt: toPrompt(asked, streamId, offsetMs) }]
    }
    case 'artifact.ref':
      return [put(message.payload.artifact_id, artifactPart(message.payload))]
    case 'lease.granted':
    case 'lease.extended':
    case 'lease.revoked': {
      const { lease_id: id } = message.payload
      const lease = after.leases.get(id)
      return lease === undefined ? [] : [put(id, { type: 'lease', lease: toLease(lease, offsetMs) })]
    }
    default:
      return []
  }
}
