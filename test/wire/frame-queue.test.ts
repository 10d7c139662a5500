import { beforeEach, describe, expect, it } from 'vitest'
import { connectionLost } from '../../src/wire/duplex-transport.ts'
import type { FrameQueue } from '../../src/wire/frame-queue.ts'
import { createFrameQueue } from '../../src/wire/frame-queue.ts'

let closed: number
let queue: FrameQueue

beforeEach(() => {
  closed = 0
  queue = createFrameQueue({ maxFrameLength: 4, maxBufferedLength: 6, onClosed: () => (closed += 1) })
})

/** Reads to the end: returns the frames and the reason of the end. */
async function readAll(): Promise<{ frames: string[]; error?: unknown }> {
  const frames: string[] = []
  try {
    for await (const batch of queue.frames) frames.push(...batch)
    return { frames }
  } catch (error) {
    return { frames, error }
  }
}

describe('frames between a socket and a reader', () => {
  it('are read in one batch, in order, and no longer count as buffered', async () => {
    queue.push('a')
    queue.push('bc')
    expect(queue.length).toBe(3)
    const reader = queue.frames[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ done: false, value: ['a', 'bc'] })
    expect(queue.length).toBe(0)
  })

  it('wake a reader that was there first', async () => {
    const first = queue.frames[Symbol.asyncIterator]().next()
    queue.push('a')
    expect(await first).toEqual({ done: false, value: ['a'] })
  })

  it('are all read before the end, after which none is taken', async () => {
    queue.push('a')
    queue.end()
    queue.push('b')
    queue.fail(connectionLost('Too late.'))
    expect(await readAll()).toEqual({ frames: ['a'] })
    expect(closed).toBe(1)
  })

  it('are read before an error, which is thrown once', async () => {
    const error = connectionLost('The socket closed.')
    queue.push('a')
    queue.fail(error)
    expect(await readAll()).toEqual({ frames: ['a'], error })
    expect(await readAll()).toEqual({ frames: [] })
    expect(closed).toBe(1)
  })

  it('end with an error when one is longer than the limit, and it is not read', async () => {
    queue.push('abcd')
    queue.push('abcde')
    expect(closed).toBe(1)
    expect(await readAll()).toMatchObject({
      frames: ['abcd'],
      error: { code: 'frame_too_large', severity: 'FATAL', details: { maximum: 4 } },
    })
  })

  it('end with an error that a reconnect heals when more came than may be buffered', async () => {
    for (const frame of ['abc', 'abc', 'a', 'b']) queue.push(frame)
    expect(closed).toBe(1)
    expect(await readAll()).toMatchObject({
      frames: ['abc', 'abc'],
      error: { code: 'response_too_large', severity: 'TRANSIENT', details: { maximum: 6 } },
    })
  })
})

describe('a reader that leaves', () => {
  it('closes the socket once, and drops later frames', async () => {
    for await (const _ of startedBy('a')) break
    queue.push('b')
    queue.drop()
    expect([closed, queue.length]).toEqual([1, 0])
    expect(await readAll()).toEqual({ frames: [] })
  })

  it('need never have read', async () => {
    queue.push('a')
    await queue.frames[Symbol.asyncIterator]().return?.()
    expect([closed, queue.length]).toEqual([1, 0])
  })

  it('is sent away by the socket, in the middle of a wait too', async () => {
    const reading = readAll()
    queue.drop()
    expect(await reading).toEqual({ frames: [] })
    expect(closed).toBe(1)
  })
})

function startedBy(frame: string): FrameQueue['frames'] {
  queue.push(frame)
  return queue.frames
}
