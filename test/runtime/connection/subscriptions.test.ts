import { beforeAll, describe, expect, it } from 'vitest'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'
import { OPEN, serve, until, type RawClient } from '../served-runtime.ts'

// What the client loads on demand is there.
beforeAll(loadArcpOnDemand)

const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
const auth = { bearer: (token: string): string => token }
const tools = {
  say: async (given: Record<string, unknown>, { emit }: { emit(name: string, payload: object): void }) => {
    for (let at = 0; at < Number(given.times ?? 1); at++) emit('said', { at })
  },
}

/** What a subscriber was shown, as types, with the end of the backfill. */
const shown = (client: RawClient): string[] =>
  client.of('subscribe.event').map(({ payload }) => {
    // An event is a message.
    const { type, payload: inner } = payload.event as unknown as { type: string; payload: { name?: string } }
    return inner.name === 'subscription.backfill_complete' ? 'complete' : type
  })

describe('a subscription', () => {
  it('shows what was, that this is all of it, and then what comes', async () => {
    const { raw, settle } = serve({ tools, auth })
    const ada = await raw({ open: openAs('ada') })
    ada.send('tool.invoke', { tool: 'say' })
    await settle()
    const observer = await raw({ open: openAs('ada') })
    const id = observer.send('subscribe', {
      filter: { types: ['job.accepted', 'event.emit'] },
      since: { after_message_id: '' },
    })
    await settle()
    expect(observer.last('subscribe.accepted')).toMatchObject({ correlation_id: id })
    expect(shown(observer)).toEqual(['job.accepted', 'event.emit', 'complete'])
    ada.send('tool.invoke', { tool: 'say' })
    await settle()
    expect(shown(observer)).toEqual(['job.accepted', 'event.emit', 'complete', 'job.accepted', 'event.emit'])
    const { subscription_id: subscriptionId } = observer.last('subscribe.accepted')
    observer.send('unsubscribe', {}, { subscription_id: subscriptionId })
    await settle()
    expect(observer.last('subscribe.closed').payload).toMatchObject({ subscription_id: subscriptionId })
    ada.send('tool.invoke', { tool: 'say' })
    await settle()
    expect(shown(observer)).toHaveLength(5)
  })

  it('shows each message once where some come while the others are looked up', async () => {
    const { raw, settle } = serve({ tools, auth })
    const ada = await raw({ open: openAs('ada') })
    const observer = await raw({ open: openAs('ada') })
    ada.send('tool.invoke', { tool: 'say', arguments: { times: 50 } })
    observer.send('subscribe', { filter: { types: ['event.emit'] }, since: { after_message_id: '' } })
    ada.send('tool.invoke', { tool: 'say', arguments: { times: 50 } })
    await settle()
    const ids = observer
      .of('subscribe.event')
      .map(({ payload }) => (payload.event as unknown as { id: string }).id)
      .filter((_, at) => shown(observer)[at] !== 'complete')
    expect(ids).toHaveLength(100)
    expect(ids).toEqual([...new Set(ids)].toSorted())
  })

  it('is of what is its own, and of others only where it may', async () => {
    for (const mayAccess of [undefined, (who: string, owner: string) => who === 'bob' && owner === 'ada']) {
      const { raw, settle } = serve({ tools, auth, mayAccess })
      const [ada, bob] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('bob') })]
      bob.send('subscribe', { filter: {} })
      bob.send('subscribe', { filter: { session_id: [ada.last('session.accepted').session_id] } })
      ada.send('tool.invoke', { tool: 'say' })
      await settle()
      expect(bob.of('nack').map(({ payload }) => payload.code)).toEqual(mayAccess ? [] : ['PERMISSION_DENIED'])
      expect(shown(bob).filter((type) => type === 'event.emit')).toHaveLength(mayAccess ? 2 : 0)
    }
  })

  it('has a filter whose fields are all met, and whose lists are met by one item', async () => {
    const { raw, settle } = serve({ tools, auth })
    const ada = await raw({ open: openAs('ada') })
    const observer = await raw({ open: openAs('ada') })
    observer.send('subscribe', { filter: { types: ['event.emit', 'tool.result'], trace_id: ['t1'] } })
    observer.send('subscribe', { filter: { min_priority: 'high' } })
    const wrong = observer.send('subscribe', { filter: { colour: ['red'] } })
    ada.send('tool.invoke', { tool: 'say' }, { trace_id: 't1' })
    ada.send('tool.invoke', { tool: 'say' }, { trace_id: 't2' })
    await settle()
    expect(shown(observer)).toEqual(['event.emit', 'tool.result'])
    expect(observer.last('nack')).toMatchObject({ correlation_id: wrong, payload: { code: 'INVALID_ARGUMENT' } })
  })

  it('is closed when its subscriber takes in less than there is to tell', async () => {
    const { raw, settle, pass } = serve({ tools, auth, maxBuffered: 2_000, subscriptionCapacity: 20 })
    const ada = await raw({ open: openAs('ada') })
    const observer = await raw({ open: openAs('ada') })
    const other = await raw({ open: openAs('ada') })
    for (const each of [observer, other]) each.send('subscribe', { filter: { types: ['event.emit'] } })
    await settle()
    const go = observer.stall()
    for (let round = 0; round < 10; round++) {
      ada.send('tool.invoke', { tool: 'say', arguments: { times: 10 } })
      await pass(100)
    }
    go()
    await pass(100)
    expect(observer.last('subscribe.closed').payload).toMatchObject({ code: 'BACKPRESSURE_OVERFLOW' })
    expect(shown(observer).length).toBeLessThan(100)
    // Who reads is not hurt by who does not.
    expect(shown(other)).toHaveLength(100)
  })

  it('of the client of this package misses nothing when its connection breaks before the first message', async () => {
    const { client, raw, settle, pass, runtime } = serve({ tools, auth })
    const arcp = client({ auth: { scheme: 'bearer', token: 'ada' } })
    const seen: string[] = []
    let accepted: string | undefined
    void arcp
      .subscribe({ types: ['event.emit'] }, { onMessage: ({ type }) => void seen.push(type) })
      .accepted.then((id) => (accepted = id))
    await until(() => accepted !== undefined)
    const ada = await raw({ open: openAs('ada') })
    runtime.disconnect(arcp.getState().session.id)
    ada.send('tool.invoke', { tool: 'say' })
    await settle()
    for (let turn = 0; seen.length === 0 && turn < 20; turn++) await pass(5_000)
    expect(seen).toEqual(['event.emit'])
    arcp.close()
  })

  it('ends with its connection, and leaves no timer', async () => {
    const { raw, settle, environment, runtime } = serve({ tools, auth })
    const observer = await raw({ open: openAs('ada') })
    observer.send('subscribe', { filter: {} })
    await settle()
    observer.close()
    await settle()
    await runtime.close()
    expect(environment.clock.pending).toBe(0)
  })
})
