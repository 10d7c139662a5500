import { describe, expect, it } from 'vitest'
import { createLockSlots, systemConnectionSlots } from '../../../src/base/ports/connection-slots.ts'
import { createFakeLocks } from '../../support/fake-locks.ts'
import { settle } from '../../support/manual-clock.ts'

const never = new AbortController().signal

describe('places for live connections', () => {
  it('are given immediately while some are free, then in turn', async () => {
    const locks = createFakeLocks()
    const slots = createLockSlots(locks, 2)
    const first = await slots.take('https://a.example', never)
    await slots.take('https://a.example', never)
    const order: string[] = []
    const third = (async () => {
      await slots.take('https://a.example', never)
      order.push('third')
    })()
    await settle()
    order.push('released')
    first()
    await third
    expect(order).toEqual(['released', 'third'])
    expect(locks.held.size).toBe(2)
  })

  it('are counted per server', async () => {
    const slots = createLockSlots(createFakeLocks(), 1)
    await slots.take('https://a.example', never)
    await expect(slots.take('https://b.example', never)).resolves.toBeTypeOf('function')
  })

  it('keep only one when two become free together', async () => {
    const locks = createFakeLocks()
    const slots = createLockSlots(locks, 2)
    const both = [await slots.take('', never), await slots.take('', never)]
    const waiting = slots.take('', never)
    await settle()
    for (const release of both) release()
    await waiting
    await settle()
    expect(locks.held.size).toBe(1)
  })

  it('are not waited for any longer after an abort', async () => {
    const locks = createFakeLocks()
    const slots = createLockSlots(locks, 1)
    const release = await slots.take('', never)
    const abort = new AbortController()
    const waiting = slots.take('', abort.signal)
    await settle()
    abort.abort()
    await waiting
    release()
    await settle()
    expect(locks.held.size).toBe(0)
  })

  it('exist in pages and workers only', () => {
    expect(systemConnectionSlots({})).toBeUndefined()
    expect(systemConnectionSlots({ navigator: { locks: createFakeLocks() } })).toBeUndefined()
    expect(systemConnectionSlots({ navigator: { onLine: true, locks: createFakeLocks() } })).toBeDefined()
  })
})
