import { beforeEach, describe, expect, it } from 'vitest'
import { type StallDetector, type Silence, createStallDetector } from '../../src/session/session.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

let environment: ManualEnvironment
let watch: StallDetector
let lost: Silence[]

beforeEach(() => {
  environment = createManualEnvironment()
  lost = []
  watch = createStallDetector({ ...environment, timeoutMs: 60_000, onLost: (silence) => lost.push(silence) })
  watch.listen()
})

describe('a connection that says nothing', () => {
  it('is abandoned after the timeout, not before', async () => {
    await environment.clock.advance(59_999)
    expect(lost).toEqual([])
    await environment.clock.advance(1)
    expect(lost).toEqual(['silent'])
    expect(environment.clock.pending).toBe(0)
    expect(environment.listeners).toBe(0)
  })

  it('is abandoned sooner once it is known to beat', async () => {
    for (let beat = 0; beat < 3; beat += 1) {
      await environment.clock.advance(10_000)
      watch.heard('empty')
    }
    await environment.clock.advance(29_999)
    expect(lost).toEqual([])
    await environment.clock.advance(1)
    expect(lost).toEqual(['silent'])
  })

  it('is never given up for a slow beat', async () => {
    for (let beat = 0; beat < 5; beat += 1) {
      await environment.clock.advance(45_000)
      watch.heard('empty')
    }
    expect(lost).toEqual([])
  })

  it('does not take the pieces of one large frame for beats', async () => {
    for (let piece = 0; piece < 5; piece += 1) {
      await environment.clock.advance(10)
      watch.heard('empty')
    }
    await environment.clock.advance(59_000)
    expect(lost).toEqual([])
  })

  it('is not looked at again and again when the clock has rounded the last bit of its silence away', () => {
    const { clock } = environment
    const waits: number[] = []
    let at = 0
    let look = (): void => {}
    const rounded = createStallDetector({
      clock: {
        ...clock,
        now: () => at,
        after(ms, callback) {
          waits.push(ms)
          look = callback
          return () => {}
        },
      },
      visibility: environment.visibility,
      timeoutMs: 4000,
      onLost: (silence) => lost.push(silence),
    })
    rounded.listen()
    at = 3999.9999999999995
    for (let turn = 0; turn < 5; turn += 1) look()
    rounded.pause()
    expect(waits).toEqual([4000, 1, 1, 1, 1, 1])
    expect(lost).toEqual([])
  })

  it('counts bytes that complete nothing for five timeouts, and not as beats', async () => {
    for (let drop = 0; drop < 30; drop += 1) {
      await environment.clock.advance(10_000)
      watch.heard('partial')
    }
    await environment.clock.advance(49_999)
    expect(lost).toEqual([])
    await environment.clock.advance(1)
    expect(lost).toEqual(['silent'])
  })

  it('may be silent while it is paused', async () => {
    watch.pause()
    await environment.clock.advance(600_000)
    expect(lost).toEqual([])
    watch.listen()
    await environment.clock.advance(59_999)
    expect(lost).toEqual([])
    await environment.clock.advance(5_000)
    expect(lost).toEqual(['silent'])
  })

  it('is not looked at when the page is shown while it is paused, nor after it was stopped', async () => {
    await environment.clock.advance(6000)
    watch.pause()
    environment.hide()
    environment.clock.sleep(3_600_000)
    environment.show()
    expect(lost).toEqual([])
    watch.stop()
    await environment.clock.advance(600_000)
    expect(lost).toEqual([])
    expect(environment.clock.pending).toBe(0)
    expect(environment.listeners).toBe(0)
  })

  it('costs no timer and no listener however often it is paused and listened to', async () => {
    let timers = 0
    let listeners = 0
    const counted = createStallDetector({
      clock: {
        ...environment.clock,
        after(ms, callback) {
          timers += 1
          return environment.clock.after(ms, callback)
        },
      },
      visibility: {
        ...environment.visibility,
        subscribe(listener) {
          listeners += 1
          return environment.visibility.subscribe(listener)
        },
      },
      timeoutMs: 60_000,
      onLost: (silence) => lost.push(silence),
    })
    for (let chunk = 0; chunk < 100; chunk += 1) {
      counted.listen()
      counted.heard('content')
      counted.pause()
    }
    expect({ timers, listeners }).toEqual({ timers: 1, listeners: 1 })
    counted.stop()
    watch.stop()
    expect(environment.clock.pending).toBe(0)
    expect(environment.listeners).toBe(0)
  })
})

describe('a machine that slept', () => {
  it('gives the connection up at the first look after waking', async () => {
    await environment.clock.advance(6000)
    environment.clock.sleep(3_600_000)
    await environment.clock.advance(5000)
    expect(lost).toEqual(['slept'])
  })

  it('is found out immediately when the page is shown', async () => {
    await environment.clock.advance(6000)
    environment.hide()
    environment.clock.sleep(3_600_000)
    environment.show()
    expect(lost).toEqual(['slept'])
  })

  it('does not mistake the slow timers of a hidden page for sleep', async () => {
    environment.hide()
    for (let minute = 0; minute < 5; minute += 1) {
      await environment.clock.advance(50_000)
      watch.heard('content')
    }
    environment.show()
    expect(lost).toEqual([])
  })

  it('does not mind a clock that is set back', async () => {
    environment.clock.sleep(-3_600_000)
    await environment.clock.advance(10_000)
    expect(lost).toEqual([])
  })
})
