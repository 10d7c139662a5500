import { describe, expect, it } from 'vitest'
import { createLockSlots, systemConnectionSlots } from '../../../src/base/ports/connection-slots.ts'
import { createFakeLocks } from '../../support/fake-locks.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'

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

describe('locks that the platform blocks', () => {
  const never = (): Promise<never> => new Promise(() => {})
  const BLOCKED: Readonly<Record<string, () => Promise<never>>> = {
    throw: () => {
      throw new Error('Access to the Locks API is denied in this context.')
    },
    reject: () => Promise.reject(new Error('Access to the Locks API is denied in this context.')),
    'never settle': never,
  }

  it.each(Object.entries(BLOCKED))('limit no connection where they %s', async (_how, request) => {
    const clock = createManualClock()
    const slots = createLockSlots({ request }, 1, clock)
    const taken = [
      slots.take('server', new AbortController().signal),
      slots.take('server', new AbortController().signal),
    ]
    await clock.advance(2_000)
    for (const release of await Promise.all(taken)) release()
  })

  it('are not read where their getter throws', () => {
    const navigator = {
      onLine: true,
      get locks(): never {
        throw new Error('Blocked')
      },
    }
    expect(systemConnectionSlots({ navigator })).toBeUndefined()
  })
})
