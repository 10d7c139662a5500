import { describe, expect, it } from 'vitest'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createThreadIndex } from '../../../src/server/proxy/wire-proxy.ts'

const { signal } = new AbortController()
const unexpected = (error: unknown): void => {
  throw error
}

describe('the last run of a thread', () => {
  it('is the one that was put last, and has ended when it has ended', async () => {
    const threads = createThreadIndex(memoryEventLog())
    expect(await threads.last('chat', signal)).toBeUndefined()
    const firstOver = await threads.put('chat', 'first', unexpected)
    expect(await threads.last('chat', signal)).toEqual({ run: 'first', isOver: false })
    const secondOver = await threads.put('chat', 'second', unexpected)
    firstOver()
    expect(await threads.last('chat', signal)).toEqual({ run: 'second', isOver: false })
    secondOver()
    expect(await threads.last('chat', signal)).toEqual({ run: 'second', isOver: true })
    await threads.put('chat', 'third', unexpected)
    expect(await threads.last('chat', signal)).toEqual({ run: 'third', isOver: false })
  })

  it('is not waited for when it could not be put', async () => {
    const log = memoryEventLog()
    const full = new Error('full')
    const threads = createThreadIndex({
      ...log,
      async begin(key, options) {
        const begun = await log.begin(key, options)
        if (begun.state !== 'created') return begun
        return { ...begun, writer: { ...begun.writer, append: () => Promise.reject(full) } }
      },
    })
    await expect(threads.put('chat', 'first', unexpected)).rejects.toBe(full)
    expect(await threads.last('chat', signal)).toBeUndefined()
  })

  it('is one of those that are put at the same time', async () => {
    const threads = createThreadIndex(memoryEventLog())
    await Promise.all(['a', 'b', 'c'].map((run) => threads.put('chat', run, unexpected)))
    expect(['a', 'b', 'c']).toContain((await threads.last('chat', signal))?.run)
  })
})
