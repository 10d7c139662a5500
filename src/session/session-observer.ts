import type { Batch } from '../seam/protocol.ts'
import type { Connection } from './connection.ts'
import type { Input } from './connection-state.ts'

/** What an observer is called with: a transition of a connection, before its effects, or a network chunk as it was read, before deduplication. */
export type SessionObservation = { readonly requestId: string } & (
  | {
      readonly type: 'transition'
      /** What happened. */
      readonly input: Input
      readonly before: Connection
      readonly after: Connection
    }
  | { readonly type: 'batch'; readonly batch: Batch }
)

/**
 * Observer of all sessions of a client, for logs. It cannot affect the session: errors that it throws go to
 * `environment.report`. `createDebugLog` makes one that prints.
 */
export type SessionObserver = (observation: SessionObservation) => void
