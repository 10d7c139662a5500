import type { ArcpFilter } from '../../../protocols/arcp/schema/subscriptions.ts'
import type { Peer, RuntimeSession } from '../session/runtime-session.ts'
import { ownerKeys } from '../session/scope.ts'

/** What a subscription is found by. */
export interface Indexed {
  /** The session of the subscriber. */
  readonly session: RuntimeSession
  readonly peer: Peer
  readonly filter: ArcpFilter
}

/** Subscriptions by the sessions that they show, so that a message costs only its own subscribers. */
export interface SubscriptionIndex<One extends Indexed> {
  add(one: One): void
  remove(one: One): void
  /** The subscriptions that may show a session. Some of them may not: ask them. */
  of(session: RuntimeSession): ReadonlySet<One>
  ofPeer(peer: Peer): ReadonlySet<One>
  /** The scope of a subscriber has changed. */
  rescope(session: RuntimeSession): void
}

/** @param mayAccess whether a session may see another one that is not its own. Absent: never */
export function createSubscriptionIndex<One extends Indexed>(
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
