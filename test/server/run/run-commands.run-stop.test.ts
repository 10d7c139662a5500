import { describe, expect, it } from 'vitest'
import { createRunStop } from '../../../src/server/run/run-commands.ts'

describe('what stops a run', () => {
  it('is a signal for those who ask, before it stops and afterwards', () => {
    const [early, late] = [createRunStop(), createRunStop()]
    const { signal } = early
    const reason = new Error('going down')
    early.abort(reason)
    late.abort(reason)
    expect([signal.aborted, signal.reason, early.signal]).toEqual([true, reason, signal])
    expect([late.signal.aborted, late.signal.reason]).toEqual([true, reason])
  })

  it('ends a wait, and every later one, with its first reason', async () => {
    const stop = createRunStop()
    expect(await stop.orStopped(Promise.resolve('in time'))).toBe('in time')
    const waiting = stop.orStopped(new Promise(() => {}))
    stop.abort(new Error('first'))
    stop.abort(new Error('second'))
    await expect(waiting).rejects.toThrow('first')
    await expect(stop.orStopped(new Promise(() => {}))).rejects.toThrow('first')
  })

  it('calls back once, unless that was released', () => {
    const stop = createRunStop()
    const told: string[] = []
    stop.onStop((error) => told.push(error.message))
    stop.onStop(() => told.push('released'))()
    stop.abort('no error')
    stop.abort('no error')
    stop.onStop((error) => told.push(error.message))
    expect(told).toEqual(['The run was aborted.', 'The run was aborted.'])
  })
})
