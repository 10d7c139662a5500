'use client'
import { useMemo, useSyncExternalStore } from 'react'
import type { ArcpFilter } from '../schema/subscriptions.ts'
import { noop } from '../../../base/noop.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import type { FeedSnapshot } from './subscription-feed.ts'
import { createSubscriptionFeed, NO_FEED } from './subscription-feed.ts'

export interface ArcpSubscriptionOptions extends ArcpHookOptions {
  /** Where to begin: after the message with this id; the empty text for all that is known. Absent: what comes from now on. */
  readonly after?: string | undefined
  /** How many messages are kept; the oldest go first. @default 1_000 */
  readonly limit?: number | undefined
  /** Whether it is subscribed at all. @default true */
  readonly enabled?: boolean | undefined
}

/** What {@link useArcpSubscription} returns. */
export interface ArcpSubscriptionResult extends FeedSnapshot {
  /** Ends it here; what came stays. */
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
