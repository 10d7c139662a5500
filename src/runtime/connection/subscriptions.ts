import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { ArcpFilter } from '../../protocols/arcp/schema/payloads.ts'
import type { ArcpOutgoing, MessageWriter } from '../../protocols/arcp/write-message.ts'
import { ArcpFault } from '../session/arcp-fault.ts'
import { createQuota } from '../session/quota.ts'
import { ownerKey, ownerKeys } from '../session/scope.ts'
import { type Peer, type RuntimeSession, messageOf } from '../session/runtime-session.ts'
import type { Jobs } from '../job/jobs.ts'
import type { Streams } from '../job/job-streams.ts'
import type { Sessions } from '../session/sessions.ts'

const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const

/** Whether a message passes a filter (RFC section 13): its fields are ANDed, the items of a list ORed. */
function passes(filter: ArcpFilter, message: ArcpOutgoing): boolean {
  const { session_id, job_id, stream_id, trace_id, type } = message
  return (
    isIn(filter.session_id, session_id) &&
    isIn(filter.job_id, job_id) &&
    isIn(filter.stream_id, stream_id) &&
    isIn(filter.trace_id, trace_id) &&
    isIn(filter.types, type) &&
    PRIORITIES.indexOf(message.priority ?? 'normal') >= PRIORITIES.indexOf(filter.min_priority ?? 'low')
  )
}

function isIn(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value))
}

/** The subscriptions of a runtime. */
export interface Subscriptions {
  /**
   * Begins a subscription: entries after `after` in order, a marker that they are complete, then new entries.
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
  /** Messages received while the history was being read. Undefined: the history is complete. */
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

/** What a subscription is found by. */
interface Indexed {
  /** The session of the subscriber. */
  readonly session: RuntimeSession
  readonly peer: Peer
  readonly filter: ArcpFilter
}

/** Subscriptions by the sessions that they show, so that a message costs only its own subscribers. */
interface SubscriptionIndex<One extends Indexed> {
  add(one: One): void
  remove(one: One): void
  /** The subscriptions that may show a session. Some of them may not: ask them. */
  of(session: RuntimeSession): ReadonlySet<One>
  ofPeer(peer: Peer): ReadonlySet<One>
  /** The scope of a subscriber has changed. */
  rescope(session: RuntimeSession): void
}

/** @param mayAccess whether a session may see another one that is not its own. Absent: never */
function createSubscriptionIndex<One extends Indexed>(
  mayAccess: ((viewer: RuntimeSession, owner: RuntimeSession) => boolean) | undefined,
): SubscriptionIndex<One> {
  /** By the session that a filter names, else by the names of the subscriber. */
  const byKey = new Map<string, Set<One>>()
  const byPeer = new Map<Peer, Set<One>>()
  const bySubscriber = new Map<RuntimeSession, Set<One>>()
  const keys = new Map<One, readonly string[]>()

  function place(one: One): void {
    const { filter, session } = one
    const own = filter.session_id?.map(keyOfSession) ?? ownerKeys(session.scope)
    keys.set(one, own)
    for (const key of own) addTo(byKey, key, one)
  }

  function displace(one: One): void {
    for (const key of keys.get(one) ?? []) removeFrom(byKey, key, one)
    keys.delete(one)
  }

  return {
    add(one) {
      place(one)
      addTo(byPeer, one.peer, one)
      addTo(bySubscriber, one.session, one)
    },
    remove(one) {
      displace(one)
      removeFrom(byPeer, one.peer, one)
      removeFrom(bySubscriber, one.session, one)
    },
    of(session) {
      const found = new Set<One>()
      for (const key of [keyOfSession(session.id), ...ownerKeys(session.scope)])
        for (const one of byKey.get(key) ?? []) found.add(one)
      // An app may change its mind at any time, so each session with subscriptions is asked for, once.
      for (const [viewer, all] of mayAccess === undefined ? [] : bySubscriber)
        if (mayAccess?.(viewer, session) === true) for (const one of all) found.add(one)
      return found
    },
    ofPeer: (peer) => new Set(byPeer.get(peer)),
    rescope(session) {
      for (const one of bySubscriber.get(session) ?? []) {
        displace(one)
        place(one)
      }
    },
  }
}

function keyOfSession(id: string): string {
  return `session ${id}`
}

function addTo<Key, One>(map: Map<Key, Set<One>>, key: Key, one: One): void {
  const all = map.get(key) ?? new Set()
  map.set(key, all.add(one))
}

function removeFrom<Key, One>(map: Map<Key, Set<One>>, key: Key, one: One): void {
  const all = map.get(key)
  all?.delete(one)
  if (all?.size === 0) map.delete(key)
}

/** Where sessions, jobs and streams are found. */
interface Visible {
  readonly sessions: Sessions
  readonly jobs: Jobs
  readonly streams: Streams
}

interface Subscriber {
  readonly session: RuntimeSession
  /** Whether the subscriber may see a session. */
  sees(owner: RuntimeSession): boolean
}

/**
 * Checks that the subscriber may see each session, job and stream that a filter names (RFC section 13). Those of others and unknown ones
 * are refused alike. A trace may be named before it exists: clients choose its id.
 *
 * @throws ArcpFault PERMISSION_DENIED; UNAVAILABLE while sessions of the subscriber are being recovered that may contain what is named
 */
export async function assertVisible(
  { sessions, jobs, streams }: Visible,
  filter: ArcpFilter,
  { session, sees }: Subscriber,
): Promise<void> {
  for (const id of filter.session_id ?? []) {
    const owner = await sessions.find(id)
    if (owner === undefined || !sees(owner)) throw denied('session')
  }
  const isHidden = (owner: RuntimeSession | undefined): boolean => owner === undefined || !sees(owner)
  const missingJobs = new Set(filter.job_id?.filter((id) => isHidden(jobs.all.get(id)?.session)))
  const missingStreams = new Set(filter.stream_id?.filter((id) => isHidden(streams.jobOf(id)?.session)))
  if (missingJobs.size + missingStreams.size === 0) return
  // Streams that were closed, old jobs, and those of a process before this one are in the logs alone.
  const isComplete = await sessions.recoverOf(session.scope)
  for (const owner of [...sessions.all.values()].filter(sees)) {
    for (const frame of owner.isResumable ? await owner.logged('').catch(() => []) : []) {
      const { job_id: jobId, stream_id: streamId } = messageOf(frame)
      if (typeof jobId === 'string') missingJobs.delete(jobId)
      if (typeof streamId === 'string') missingStreams.delete(streamId)
    }
    if (missingJobs.size + missingStreams.size === 0) return
  }
  if (!isComplete)
    throw new ArcpFault('UNAVAILABLE', 'Your earlier sessions are still being recovered. Subscribe again later.', {
      retryable: true,
    })
  throw denied(missingJobs.size > 0 ? 'job' : 'stream')
}

function denied(what: 'session' | 'job' | 'stream'): ArcpFault {
  return new ArcpFault('PERMISSION_DENIED', `A ${what} of the filter does not exist, or belongs to somebody else.`)
}
