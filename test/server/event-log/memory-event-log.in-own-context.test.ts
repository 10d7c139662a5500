import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { inOwnContext, memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'

/** Stands for what workerd calls the context of a request; its own tests are in test/runtimes. */
const request = new AsyncLocalStorage<string>()

describe('inOwnContext', () => {
  it('calls a function in the context that it was given in, again and again', async () => {
    const call = request.run('run', () => inOwnContext(async (value: number) => `${value} in ${request.getStore()}`))
    const asked = request.run('command', () => Promise.all([call(1), call(2)]))
    expect(await asked).toEqual(['1 in run', '2 in run'])
    expect(await request.run('later command', () => call(3))).toBe('3 in run')
  })

  it('passes a failure to the caller, and continues', async () => {
    const call = inOwnContext(async (value: number) => {
      if (value === 1) throw new Error('one')
      return value
    })
    await expect(call(1)).rejects.toThrow('one')
    expect(await call(2)).toBe(2)
  })
})

describe('a log in memory', () => {
  it('carries commands out in the context of the run, and reads in that of the reader', async () => {
    const log = memoryEventLog()
    const begun = await request.run('run', async () => log.begin('key'))
    if (begun.state !== 'created') throw new Error('The run has not begun.')
    const seen: (string | undefined)[] = []
    request.run('run', () =>
      begun.writer.onCommand?.(async () => {
        seen.push(request.getStore())
        return { result: 'accepted' }
      }),
    )
    const left = new AbortController()
    const read = request.run('reader', async () => {
      await begun.reader.read(0, left.signal)
      seen.push(request.getStore())
    })
    await request.run('command', async () => log.command?.('key', { name: 'cancel' }))
    await request.run('run', () => begun.writer.append({ kind: 'frame', text: 'data: x\n\n' }))
    await read
    expect(seen).toEqual(['run', 'reader'])
  })
})
