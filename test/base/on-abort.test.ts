import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { onAbort } from '../../src/base/on-abort.ts'

describe('a call for when a signal aborts', () => {
  it('shares one listener with all others, and is not made after it was released', () => {
    const source = new AbortController()
    const called: number[] = []
    const releases = Array.from({ length: 100 }, (_, index) => onAbort(source.signal, () => called.push(index)))
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(1)
    for (const release of releases.slice(2)) release()
    source.abort()
    source.abort()
    expect(called).toEqual([0, 1])
  })

  it('is made at once when it has aborted, once', () => {
    let called = 0
    const release = onAbort(AbortSignal.abort(), () => (called += 1))
    release()
    expect(called).toBe(1)
  })
})
