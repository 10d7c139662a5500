import { beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { Assist } from '../../src/state/assist.ts'
import { createAssist } from '../../src/state/assist.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, failure, textDelivery } from '../support/scripted-peer.ts'

const CALLBACKS = ['subscriber', 'prepare', 'onPacket'] as const
type Callback = (typeof CALLBACKS)[number]

let environment: ManualEnvironment
let peer: ScriptedPeer
let assist: Assist<string>
/** Called once, from inside the callback named. */
let inside: { readonly callback: Callback; readonly nth: number; readonly action: () => void } | undefined
let calls: Record<Callback, number>

function heard(callback: Callback): void {
  calls[callback] += 1
  if (inside?.callback === callback && inside.nth === calls[callback]) inside.action()
}

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
  inside = undefined
  calls = { subscriber: 0, prepare: 0, onPacket: 0 }
  assist = createAssist<string, unknown>({
    client: () => ({
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 0 }),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ text }) => text,
    }),
    prepare(request) {
      heard('prepare')
      return request
    },
    onPacket: () => heard('onPacket'),
  })
  assist.subscribe(() => heard('subscriber'))
})

const live = () => peer.connections.filter(({ aborted }) => !aborted)

describe('an action called from inside a callback of a single run', () => {
  const cases = CALLBACKS.flatMap((callback) =>
    ['start', 'stop'].flatMap((action) => [1, 2, 3].map((nth) => [action, callback, nth] as const)),
  )

  it.each(cases)(
    '%s in %s, call %i: one connection at most, every promise settles, and the newest run is the one that is shown',
    async (action, callback, nth) => {
      let pending = 0
      const keep = (promise: Promise<void>): void => {
        pending += 1
        void promise.finally(() => (pending -= 1))
      }
      inside = {
        callback,
        nth,
        action: () => keep(action === 'start' ? assist.start('inner', 'inner') : assist.stop()),
      }
      keep(assist.start('one', 'one'))
      for (const id of ['', 'two']) {
        if (id !== '') keep(assist.start(id, id))
        await settle()
        expect(live().length).toBeLessThanOrEqual(1)
        // A second time for a run that was begun meanwhile; for the others it is a replay.
        for (let turn = 0; turn < 2; turn += 1) {
          for (const connection of live())
            connection.batch(
              textDelivery(1, `${connection.opening.requestId}.`),
              textDelivery(2, `${connection.opening.requestId}.`),
            )
          await settle()
          environment.paint()
        }
        const { text, requestId } = assist.getSnapshot()
        expect([``, `${requestId}.`, `${requestId}.${requestId}.`]).toContain(text)
      }
      for (const connection of live()) connection.close(3)
      await settle()
      await assist.stop()
      // Responses are read to their end for a moment.
      await environment.clock.advance(DRAIN_MS)
      expect(pending).toBe(0)
      expect(live()).toEqual([])
      expect(environment.clock.pending).toBe(0)
      expect(environment.listeners).toBe(0)
      expect(assist.getSnapshot().status).toBe('ready')
    },
  )

  it('stop in onPacket lets the rest of the chunk go', async () => {
    inside = { callback: 'onPacket', nth: 1, action: () => void assist.stop() }
    void assist.start('one', 'one')
    await settle()
    peer.connection.batch(textDelivery(1, 'A'), textDelivery(2, 'B'))
    await settle()
    environment.paint()
    expect(assist.getSnapshot()).toMatchObject({ text: 'A', status: 'ready' })
  })

  it('tells its subscribers of a connection that has brought no words yet', async () => {
    void assist.start('one', 'one')
    await settle()
    environment.paint()
    expect(assist.getSnapshot().connection.phase).toBe('connecting')
    const before = calls.subscriber
    peer.connection.batch()
    await settle()
    environment.paint()
    expect(assist.getSnapshot()).toMatchObject({ text: '', connection: { phase: 'streaming' } })
    expect(calls.subscriber).toBe(before + 1)
    await assist.stop()
  })

  it('a run that fails is begun again by its subscriber as its own run', async () => {
    const unsubscribe = assist.subscribe(() => {
      if (assist.getSnapshot().status !== 'error') return
      unsubscribe()
      void assist.start('again', 'again')
    })
    void assist.start('one', 'one')
    await settle()
    peer.connection.fail(failure({ severity: 'FATAL' }))
    await settle()
    expect(live().map(({ opening }) => opening.requestId)).toEqual(['again'])
    expect(assist.getSnapshot()).toMatchObject({ requestId: 'again', status: 'submitted' })
    await assist.stop()
  })
})
