'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { ArcpFilter } from '../schema/payloads.ts'
import { noop } from '../../../base/noop.ts'
import { type ArcpHookOptions, useArcpClient } from './arcp-provider.tsx'
import type { ArcpClient } from '../client/arcp-client.ts'
import type { ArcpSubscription } from '../client/arcp-subscription.ts'
import type { ArcpMessage } from '../read/message.ts'

export interface ArcpSubscriptionOptions extends ArcpHookOptions {
  /** Where to begin: after the message with this id; the empty string for the whole history. Absent: only new messages. */
  readonly after?: string | undefined
  /** How many messages are kept; the oldest go first. @default 1_000 */
  readonly limit?: number | undefined
  /** Whether it is subscribed at all. @default true */
  readonly enabled?: boolean | undefined
}

/** What {@link useArcpSubscription} returns. */
export interface ArcpSubscriptionResult extends FeedSnapshot {
  /** Ends it here; received events stay. */
  close(): void
}

const MOST = 1_000

/**
 * Subscribes to messages of the runtime, also of jobs that others have begun, while the component is on the page. It continues over
 * connections. Renders at most once a frame. The filter may be a new object at each render.
 *
 * @example
 * ```tsx
 * import { useArcpSubscription } from 'capstan/react'
 *
 * export function Watch({ jobId }: { jobId: string }) {
 *   const { events, isBackfilled } = useArcpSubscription({ job_id: [jobId] }, { after: '' })
 *   return <p aria-busy={!isBackfilled}>{events.length} messages</p>
 * }
 * ```
 */
export function useArcpSubscription(filter: ArcpFilter, options: ArcpSubscriptionOptions = {}): ArcpSubscriptionResult {
  const { client: given, after, limit = MOST, enabled = true } = options
  const client = useArcpClient(given, 'useArcpSubscription')
  const key = JSON.stringify(filter)
  const feed = useMemo(
    // What was written just now has the shape that it had.
    () => createSubscriptionFeed(client, { filter: JSON.parse(key) as ArcpFilter, after, limit }),
    [client, key, after, limit],
  )
  const snapshot = useSyncExternalStore(enabled ? feed.subscribe : never, feed.getSnapshot, noFeed)
  return useMemo(() => ({ ...snapshot, close: feed.close }), [snapshot, feed])
}

function never(): () => void {
  return noop
}

/** On a server, and in the first render of a page that was rendered there. */
function noFeed(): FeedSnapshot {
  return NO_FEED
}

/** The events of a subscription so far: immutable. */
interface FeedSnapshot {
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

const NO_FEED: FeedSnapshot = {
  status: 'idle',
  isBackfilled: false,
  events: [],
  backfilled: 0,
  dropped: 0,
  reason: undefined,
}

interface FeedOptions {
  readonly filter: ArcpFilter
  readonly after: string | undefined
  readonly limit: number
}

/** A subscription as a store: it is open while somebody is subscribed to it, and changes at most once a frame. */
interface SubscriptionFeed {
  getSnapshot(): FeedSnapshot
  subscribe(listener: () => void): () => void
  /** Ends it; received events stay. */
  close(): void
}

function createSubscriptionFeed(client: ArcpClient, { filter, after, limit }: FeedOptions): SubscriptionFeed {
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
