import type { FoldMessage } from './fold/fold-message.ts'
import { foldRareMessage } from './fold/fold-rare-message.ts'
import type { MessageEvents } from './presentation/job-events.ts'
import { rareJobEvents } from './presentation/rare-job-events.ts'
import { rareReaders } from './read/rare-payloads.ts'
import type { RareReaders } from './read/read-message.ts'

/** What reads, folds and presents the messages that many jobs never send: questions, leases, artifacts, subscriptions, spans. */
export interface RareMessages {
  readonly readers: RareReaders
  readonly fold: FoldMessage
  readonly events: MessageEvents
}

export const rareMessages: RareMessages = { readers: rareReaders, fold: foldRareMessage, events: rareJobEvents }
