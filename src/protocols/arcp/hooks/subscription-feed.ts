import { noop } from '../../../base/noop.ts'
import type { ArcpClient } from '../client/arcp-client.ts'
import type { ArcpSubscription } from '../client/arcp-subscription.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpFilter } from '../schema/subscriptions.ts'

/** The events of a subscription so far: immutable. */
export interface FeedSnapshot {
  /** `opening`: the runtime has not accepted it yet. `failed`: it does not. `closed`: it has ended. */
  readonly status: 'idle' | 'opening' | 'open' | 'closed' | 'failed'
  /** The history is complete; also true if none was requested. */
  readonly isBackfilled: boolean
  /** The last messages, oldest first. */
  readonly events: readonly ArcpMessage[]
  /** How many of `events`, from the first, are history. */
  readonly backfilled: number
  /** How many earlier messages are not kept any more. */
  readonly dropped: number
  /** Why it ended, as the runtime says. */
  readonly reason: string | undefined
}

export const NO_FEED: FeedSnapshot = {
  status: 'idle',
  isBackfilled: false,
  events: [],
  backfilled: 0,
  dropped: 0,
  reason: undefined,
}

export interface FeedOptions {
  readonly filter: ArcpFilter
  readonly after: string | undefined
  readonly limit: number
}

/** A subscription as a store: it is open while somebody is subscribed to it, and changes at most once a frame. */
export interface SubscriptionFeed {
  getSnapshot(): FeedSnapshot
  subscribe(listener: () => void): () => void
  /** Ends it; received events stay. */
  close(): void
}

export function createSubscriptionFeed(client: ArcpClient, { filter, after, limit }: FeedOptions): SubscriptionFeed {
  const { frames } = client.runs.environment
  const listeners = new Set<() => void>()
  let snapshot = NO_FEED
  let next = NO_FEED
  let arrived: ArcpMessage[] = []
  let own: ArcpSubscription | undefined
  let isScheduled = false
  let cancelClose = noop

  function publish(): void {
    isScheduled = false
    const all = arrived.length === 0 ? next.events : [...next.events, ...arrived]
    const excess = Math.max(0, all.length - limit)
    next = {
      ...next,
      events: excess === 0 ? all : all.slice(excess),
      dropped: next.dropped + excess,
      backfilled: Math.max(0, next.backfilled - excess),
    }
    arrived = []
    snapshot = next
    for (const listener of [...listeners]) listener()
  }

  function change(changed: Partial<FeedSnapshot>): void {
    next = { ...next, ...changed }
    if (isScheduled) return
    isScheduled = true
    frames.next(publish)
  }

  function open(): void {
    next = { ...NO_FEED, status: 'opening', isBackfilled: after === undefined }
    snapshot = next
    arrived = []
    const opened: ArcpSubscription = client.subscribe(filter, {
      ...(after === undefined ? {} : { after }),
      onMessage(message) {
        if (own !== opened) return
        arrived.push(message)
        change({})
      },
      onBackfilled() {
        // A later connection repeats missed events: new ones stay new.
        if (own === opened && !next.isBackfilled)
          change({ isBackfilled: true, backfilled: next.events.length + arrived.length })
      },
      onClosed(reason) {
        if (own === opened && next.status !== 'failed') change({ status: 'closed', reason })
      },
    })
    own = opened
    opened.accepted.then(
      () => own === opened && next.status === 'opening' && change({ status: 'open' }),
      (cause: unknown) =>
        own === opened && change({ status: 'failed', reason: cause instanceof Error ? cause.message : undefined }),
    )
  }

  function close(): void {
    const closing = own
    own = undefined
    closing?.close()
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      cancelClose()
      cancelClose = noop
      listeners.add(listener)
      if (own === undefined) open()
      return () => {
        listeners.delete(listener)
        // React may subscribe again at once, as in StrictMode.
        if (listeners.size === 0) cancelClose = frames.next(close)
      }
    },
    close() {
      if (own === undefined) return
      close()
      change({ status: 'closed' })
    },
  }
}
