import { noop } from '../../../base/noop.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { ArcpFilter } from '../../../protocols/arcp/schema/subscriptions.ts'
import type { ArcpOutgoing, MessageWriter } from '../../../protocols/arcp/write-message.ts'
import { passes } from './filter.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import { createQuota } from '../session/quota.ts'
import { ownerKey } from '../session/scope.ts'
import { createSubscriptionIndex } from './subscription-index.ts'
import type { Peer, RuntimeSession } from '../session/runtime-session.ts'
import { messageOf } from '../session/runtime-session.ts'

/** The subscriptions of a runtime. */
export interface Subscriptions {
  /**
   * Begins one: what was logged after `after` first, in order and then told to be complete, then what is logged from now on.
   * Returns its id.
   *
   * @param sees whether the subscriber may see a session
   * @throws ArcpFault RESOURCE_EXHAUSTED when the principal has too many
   */
  open(request: SubscriptionRequest): string
  /** Ends one of a session. False when there is none. */
  close(id: string, session: RuntimeSession): boolean
  /** A session is there, or may be seen, that was not before: its log is shown to those who asked for what was before. */
  restore(session: RuntimeSession): void
  /** The scope of a session has changed: it may see more. */
  rescope(session: RuntimeSession): void
  /** A message was logged. */
  hear(message: ArcpOutgoing, session: RuntimeSession): void
  /** A connection is gone, and its subscriptions with it. */
  leave(peer: Peer): void
}

export interface SubscriptionRequest {
  readonly session: RuntimeSession
  readonly peer: Peer
  readonly filter: ArcpFilter
  /** Absent: only what is new. */
  readonly after: string | undefined
  sees(owner: RuntimeSession): boolean
}

export interface SubscriptionsOptions {
  readonly clock: Clock
  readonly writer: MessageWriter
  id(): string
  /** Messages that may wait for a subscriber before its subscription is closed. */
  readonly capacity: number
  /** Characters that a connection may have on its way before its subscriptions wait. */
  readonly maxBuffered: number
  /** Subscriptions that one principal may have open. */
  readonly maxOpen: number
  /** Whether a session may see another one that is not its own. Absent: never. */
  readonly mayAccess: ((viewer: RuntimeSession, owner: RuntimeSession) => boolean) | undefined
  /** All sessions there are. */
  sessions(): Iterable<RuntimeSession>
  /** Finds the sessions of the subscriber that processes before this one have logged. Never rejects. */
  recover(session: RuntimeSession): Promise<unknown>
}

interface Open extends SubscriptionRequest {
  readonly id: string
  /** What waits for the subscriber to take it in. */
  readonly queue: object[]
  /** How many of those were there before. */
  backfill: number
  /** Ids of the sessions that are shown: what they logged before was looked up, or they began later. */
  readonly seen: Set<string>
  /** Ids of the messages that were logged while those of a session that was found later are looked up. */
  readonly fills: Set<Set<string>>
  /** What came while the messages before were looked up. Undefined: nothing is looked up any more. */
  live: ArcpOutgoing[] | undefined
  cancel: () => void
}

/** How often a connection that takes nothing in is looked at. */
const LOOK_MS = 20

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { clock, writer, capacity, maxBuffered, sessions } = options
  const all = new Map<string, Open>()
  const index = createSubscriptionIndex<Open>(options.mayAccess)
  const quota = createQuota(options.maxOpen)

  function pump(one: Open): void {
    one.cancel()
    one.cancel = noop
    while (one.queue.length > 0 && all.get(one.id) === one) {
      if (one.peer.buffered > maxBuffered) {
        one.cancel = clock.after(LOOK_MS, () => pump(one))
        return
      }
      const event = one.queue.shift()
      if (one.backfill > 0) one.backfill -= 1
      // What was queued is an object.
      one.session.reply(one.peer, 'subscribe.event', { event: { ...event } }, { subscription_id: one.id })
    }
  }

  function add(one: Open, message: ArcpOutgoing): void {
    const waiting = (one.live?.length ?? 0) + one.queue.length - one.backfill
    if (waiting >= capacity) return overflow(one)
    if (one.live !== undefined) return void one.live.push(message)
    one.queue.push(message)
    pump(one)
  }

  function overflow(one: Open): void {
    end(one)
    one.session.reply(
      one.peer,
      'subscribe.closed',
      {
        subscription_id: one.id,
        reason: 'The subscriber takes in less than there is to tell.',
        code: 'BACKPRESSURE_OVERFLOW',
      },
      { subscription_id: one.id },
    )
  }

  function end(one: Open): void {
    if (!all.delete(one.id)) return
    index.remove(one)
    quota.release(ownerKey(one.session.scope))
    one.cancel()
    one.queue.length = 0
  }

  /** What the sessions have logged after a message, as far as it passes, in order. */
  async function lookUp(one: Open, given: Iterable<RuntimeSession>, after: string): Promise<ArcpOutgoing[]> {
    const fresh = [...given].filter((session) => session.isResumable && one.sees(session) && !one.seen.has(session.id))
    for (const session of fresh) one.seen.add(session.id)
    const found = await Promise.all(fresh.map((session) => session.logged(after).catch(() => [])))
    return (
      found
        .flat()
        // The runtime wrote them.
        .map((frame) => messageOf(frame) as unknown as ArcpOutgoing)
        .filter((message) => passes(one.filter, message))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    )
  }

  async function backfill(one: Open, after: string): Promise<void> {
    await options.recover(one.session)
    if (all.get(one.id) !== one) return
    const before = await lookUp(one, sessions(), after)
    if (all.get(one.id) !== one) return
    const known = new Set(before.map(({ id }) => id))
    const live = one.live ?? []
    one.live = undefined
    const complete = writer.write('event.emit', { name: 'subscription.backfill_complete' })
    one.queue.push(...before, complete, ...live.filter(({ id }) => !known.has(id)))
    one.backfill = before.length + 1
    pump(one)
  }

  /** Shows what a session has logged that was not there when the others were looked up. */
  async function fillIn(one: Open, session: RuntimeSession, after: string): Promise<void> {
    const heard = new Set<string>()
    one.fills.add(heard)
    const found = await lookUp(one, [session], after)
    one.fills.delete(heard)
    if (all.get(one.id) !== one) return
    const before = found.filter(({ id }) => !heard.has(id))
    one.queue.push(...before)
    one.backfill += before.length
    pump(one)
  }

  return {
    open(request) {
      const { session, after } = request
      const owner = ownerKey(session.scope)
      if (!quota.fits(owner))
        throw new ArcpFault(
          'RESOURCE_EXHAUSTED',
          `You have ${quota.limit} open subscriptions, the most that one principal may have here. End some with unsubscribe, or ask for more by one filter.`,
          { retryable: true, details: { limit: quota.limit } },
        )
      const id = options.id()
      const one: Open = {
        ...request,
        id,
        queue: [],
        backfill: 0,
        seen: new Set(),
        fills: new Set(),
        live: after === undefined ? undefined : [],
        cancel: noop,
      }
      all.set(id, one)
      index.add(one)
      quota.take(owner)
      // Sends nothing before it is awaited: the answer that names the subscription is first.
      if (after !== undefined) void backfill(one, after)
      return id
    },
    close(id, session) {
      const one = all.get(id)
      if (one?.session !== session) return false
      end(one)
      return true
    },
    restore(session) {
      for (const one of index.of(session))
        if (one.after !== undefined && one.live === undefined) void fillIn(one, session, one.after)
    },
    rescope: index.rescope,
    hear(message, session) {
      for (const one of index.of(session)) {
        if (!one.sees(session)) continue
        if (one.live === undefined) one.seen.add(session.id)
        for (const fill of one.fills) fill.add(message.id)
        if (passes(one.filter, message)) add(one, message)
      }
    },
    leave(peer) {
      for (const one of index.ofPeer(peer)) end(one)
    },
  }
}
