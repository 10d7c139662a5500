import type { FoldMessage } from './fold/fold-message.ts'
import { foldRareMessage } from './fold/fold-rare-message.ts'
import { type MessageEvents, type FoldStep, artifactPart } from './presentation/job-events.ts'
import { rareReaders } from './read/rare-payloads.ts'
import type { RareReaders } from './read/message.ts'
import type { AgentEvent, AgentPart } from '../../seam/agent-event.ts'
import { toLease } from './presentation/job-lease.ts'
import { toPrompt } from './presentation/job-prompt.ts'

/** What reads, folds and presents the messages that many jobs never send: questions, leases, artifacts, subscriptions, spans. */
export interface RareMessages {
  readonly readers: RareReaders
  readonly fold: FoldMessage
  readonly events: MessageEvents
}

export const rareMessages: RareMessages = { readers: rareReaders, fold: foldRareMessage, events: rareJobEvents }

/** What a message of a rare type says of its job: questions, leases and artifacts. Pure. */
function rareJobEvents({ before, after, message, job, offsetMs }: FoldStep): AgentEvent[] {
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
