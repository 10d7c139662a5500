import { describe, expect, it } from 'vitest'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'

const never = (): AbortSignal => new AbortController().signal

async function read({ frames }: DuplexConnection): Promise<readonly (readonly string[])[]> {
  const batches: (readonly string[])[] = []
  for await (const batch of frames) batches.push(batch)
  return batches
}

async function meet(signal = never()): Promise<[page: DuplexConnection, agent: DuplexConnection]> {
  let agent: DuplexConnection | undefined
  const page = await memoryTransport((end) => {
    agent = end
  }).connect({ signal })
  if (agent === undefined) throw new Error('The agent was not asked.')
  return [page, agent]
}

describe('a connection in memory', () => {
  it('keeps frames in order until they are read, as one batch, also when it was closed since', async () => {
    const [page, agent] = await meet()
    for (const frame of ['a', 'b', 'c']) page.send(frame)
    agent.send('x')
    page.close()
    expect(await read(agent)).toEqual([['a', 'b', 'c']])
    expect(await read(page)).toEqual([])
    expect(() => page.send('late')).toThrow(expect.objectContaining({ code: 'network_error' }))
    expect(() => agent.send('late')).toThrow(expect.objectContaining({ code: 'network_error' }))
  })

  it('ends at both ends when either end leaves: by closing, by an abort, by no longer reading', async () => {
    for (const how of ['agent', 'page', 'abort', 'return'] as const) {
      const abort = new AbortController()
      const [page, agent] = await meet(abort.signal)
      const reader = agent.frames[Symbol.asyncIterator]()
      const pending = how === 'return' ? undefined : reader.next()
      if (how === 'agent') agent.close()
      else if (how === 'page') page.close()
      else if (how === 'abort') abort.abort()
      else await reader.return?.()
      expect((await pending)?.done ?? true, how).toBe(true)
      expect(await read(page), how).toEqual([])
    }
  })

  it('is refused by what the agent throws, at once or later, and by an abort', async () => {
    const refuse = memoryTransport(() => {
      throw new Error('No.')
    })
    await expect(refuse.connect({ signal: never() })).rejects.toMatchObject({ code: 'network_error' })
    const late = await memoryTransport(async ({ frames }) => {
      for await (const batch of frames) if (batch.includes('end')) throw new Error('No.')
    }).connect({ signal: never() })
    late.send('end')
    expect(await read(late)).toEqual([])
    const given = memoryTransport(() => undefined).connect({ signal: AbortSignal.abort() })
    await expect(given).rejects.toMatchObject({ code: 'network_error' })
  })
})
