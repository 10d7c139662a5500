import { expect, it } from 'vitest'
import { systemEnvironment } from '../../../src/base/ports/environment.ts'
import { createUlids, createMessageWriter } from '../../../src/protocols/arcp/write-message.ts'
import type { ArcpFilter } from '../../../src/protocols/arcp/schema/payloads.ts'
import type { Peer, RuntimeSession } from '../../../src/runtime/session/runtime-session.ts'
import { createRuntimeSession } from '../../../src/runtime/session/runtime-session.ts'
import { isShared } from '../../../src/runtime/session/scope.ts'
import { beginSessionLog } from '../../../src/runtime/session/session-log.ts'
import { type Subscriptions, createSubscriptions } from '../../../src/runtime/connection/subscriptions.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'

const OTHERS = 2_000

interface Opened {
  readonly subscriptions: Subscriptions
  readonly log: ReturnType<typeof memoryEventLog>
  /** How many subscriptions were asked whether they show a session. */
  readonly asked: () => number
  begin(id: string, principal: string): Promise<{ session: RuntimeSession; peer: Peer; frames: string[] }>
  subscribe(own: { session: RuntimeSession; peer: Peer }, filter?: ArcpFilter, after?: string): void
}

function open(mayAccess?: (viewer: string, owner: string) => boolean): Opened {
  const { clock, uuid, report } = systemEnvironment
  const ports = { date: () => clock.date(), uuid }
  const writer = createMessageWriter(ports)
  const id = createUlids(ports)
  const log = memoryEventLog({ clock })
  const nameOf = ({ scope }: RuntimeSession): string => scope.names[0] ?? ''
  let asked = 0
  const subscriptions = createSubscriptions({
    clock,
    writer,
    id,
    capacity: 1_024,
    maxBuffered: 1_000_000,
    maxOpen: Infinity,
    mayAccess: mayAccess && ((viewer, owner) => mayAccess(nameOf(viewer), nameOf(owner))),
    sessions: () => [],
    recover: async () => undefined,
  })
  return {
    subscriptions,
    log,
    asked: () => asked,
    async begin(sessionId, principal) {
      const scope = { names: [principal], isAnonymous: false }
      const frames: string[] = []
      const peer: Peer = { send: (frame) => void frames.push(frame), buffered: 0, close: () => undefined }
      const session = createRuntimeSession({
        id: sessionId,
        scope,
        capabilities: {},
        writer,
        log: await beginSessionLog(log, sessionId, { ...scope, capabilities: {} }),
        onLogged: (message, of) => subscriptions.hear(message, of),
        onLogLost: report,
      })
      return { session, peer, frames }
    },
    subscribe({ session, peer }, filter = {}, after) {
      subscriptions.open({
        session,
        peer,
        filter,
        after,
        sees(owner) {
          asked += 1
          return isShared(owner.scope, session.scope) || mayAccess?.(nameOf(session), nameOf(owner)) === true
        },
      })
    },
  }
}

const eventsIn = (frames: readonly string[]): number =>
  frames.filter((frame) => frame.includes('subscribe.event')).length

it('delivers an event to its own subscribers, and looks at no other subscription', async () => {
  const { begin, subscribe, asked } = open()
  const [ada, bob, other] = [await begin('s1', 'ada'), await begin('s2', 'bob'), await begin('s3', 'ada')]
  for (let count = 0; count < OTHERS; count++) subscribe(bob)
  // Of the same principal, but of another session.
  for (let count = 0; count < OTHERS; count++) subscribe(other, { session_id: ['s3'] })
  subscribe(ada)
  subscribe(other)
  subscribe(other, { session_id: ['s1', 's3'] })
  ada.session.emit('log', { level: 'info', message: 'Hello' })
  await ada.session.settled()
  expect(asked()).toBe(3)
  await other.session.settled()
  expect([eventsIn(ada.frames), eventsIn(other.frames), eventsIn(bob.frames)]).toEqual([1, 2, 0])
})

it('shows a recovered session to its own subscribers, and looks at no other subscription', async () => {
  const { begin, subscribe, asked, subscriptions } = open()
  const [ada, bob] = [await begin('s1', 'ada'), await begin('s2', 'bob')]
  ada.session.emit('log', { level: 'info', message: 'Hello' })
  await ada.session.settled()
  for (let count = 0; count < 50; count++) subscribe(bob, {}, '')
  subscribe(ada, {}, '')
  await expect.poll(() => eventsIn(ada.frames), { timeout: 20_000 }).toBe(1)
  await expect.poll(() => eventsIn(bob.frames), { timeout: 20_000 }).toBe(50)
  expect(asked()).toBe(0)
  subscriptions.restore(ada.session)
  await expect.poll(() => eventsIn(ada.frames), { timeout: 20_000 }).toBe(2)
  expect(asked()).toBe(1)
})

it('asks the app once for each session with subscriptions, however many there are', async () => {
  let calls = 0
  const { begin, subscribe, asked } = open((viewer, owner) => {
    calls += 1
    return viewer === 'admin' && owner === 'ada'
  })
  const [ada, bob, admin] = [await begin('s1', 'ada'), await begin('s2', 'bob'), await begin('s3', 'admin')]
  for (let count = 0; count < OTHERS; count++) subscribe(bob)
  subscribe(admin)
  ada.session.emit('log', { level: 'info', message: 'Hello' })
  await ada.session.settled()
  await admin.session.settled()
  expect(calls).toBe(3)
  expect(asked()).toBe(1)
  expect([eventsIn(admin.frames), eventsIn(bob.frames)]).toEqual([1, 0])
})

it('forgets the subscriptions of a connection that is gone, and no others', async () => {
  const { begin, subscribe, asked, subscriptions } = open()
  const [ada, again] = [await begin('s1', 'ada'), await begin('s2', 'ada')]
  subscribe(ada)
  subscribe(again)
  subscriptions.leave(ada.peer)
  ada.session.emit('log', { level: 'info', message: 'Hello' })
  await ada.session.settled()
  await again.session.settled()
  expect(asked()).toBe(1)
  expect([eventsIn(ada.frames), eventsIn(again.frames)]).toEqual([0, 1])
})

it('closes a subscription for the session that has opened it, and for no other', async () => {
  const { begin, subscriptions } = open()
  const [ada, bob] = [await begin('s1', 'ada'), await begin('s2', 'bob')]
  const id = subscriptions.open({ ...ada, filter: {}, after: undefined, sees: () => true })
  expect(subscriptions.close(id, bob.session)).toBe(false)
  expect(subscriptions.close(id, ada.session)).toBe(true)
  expect(subscriptions.close(id, ada.session)).toBe(false)
})
