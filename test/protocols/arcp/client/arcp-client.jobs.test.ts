import { beforeAll, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpMessage } from '../../../../src/protocols/arcp/read/message.ts'
import { createMemoryRuntime } from '../../../support/arcp-memory-runtime.ts'
import { settle } from '../../../support/manual-clock.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

const JOBS = 1_000
const WORDS = 6

/** Numbers of the messages of a job that came in the order of their numbers. */
function isInOrder(messages: readonly ArcpMessage[]): boolean {
  return messages.every(({ id }, at) => at === 0 || id > (messages[at - 1]?.id ?? ''))
}

describe('a thousand jobs on one session', () => {
  it('that is cut three times end all, each exact and in order, over four sockets, one at a time', async () => {
    const environment = createManualEnvironment()
    const runtime = createMemoryRuntime()
    const arcp = new ArcpClient({ transport: runtime.transport, environment })
    const heard = new Map<number, ArcpMessage[]>()
    const handles = Array.from({ length: JOBS }, (_, at) => {
      const messages: ArcpMessage[] = []
      heard.set(at, messages)
      return arcp.invoke('count', { at }, { onMessage: (message) => messages.push(message) })
    })
    await settle()
    expect(runtime.jobs.size).toBe(JOBS)
    const all = [...runtime.jobs.values()]
    for (let word = 0; word < WORDS; word++) {
      for (const [at, job] of all.entries()) {
        if (at === 500 && word % 2 === 1) runtime.cut()
        job.say(`${word} `)
      }
      await environment.clock.advance(5_000)
      await settle()
    }
    for (const job of all) job.end(Number(job.given.at))
    await settle()
    const results = await Promise.all(handles.map(({ result }) => result))
    expect(results.map(({ value }) => value)).toEqual(Array.from({ length: JOBS }, (_, at) => at))
    const texts = [...arcp.getState().streams.values()].map(({ text }) => text)
    expect(new Set(texts)).toEqual(new Set(['0 1 2 3 4 5 ']))
    expect([...heard.values()].filter((messages) => messages.length !== WORDS + 4 || !isInOrder(messages))).toEqual([])
    expect([runtime.sockets, runtime.mostOpen, runtime.of('tool.invoke').length]).toEqual([4, 1, JOBS])
    await environment.clock.advance(11_000)
    expect([runtime.open, environment.clock.pending, environment.listeners]).toEqual([0, 0, 0])
  })

  it('wait out a server that is down for 8 s with at most 6 attempts, and none gives up', async () => {
    const environment = createManualEnvironment()
    const runtime = createMemoryRuntime()
    const attempts: number[] = []
    const transport = {
      connect: (options: { readonly signal: AbortSignal }) => {
        attempts.push(environment.clock.now())
        return runtime.transport.connect(options)
      },
    }
    const arcp = new ArcpClient({ transport, environment })
    const handles = Array.from({ length: JOBS }, () => arcp.invoke('count'))
    await settle()
    attempts.length = 0
    // The middle of the jitter.
    environment.chance = 0.5
    const start = environment.clock.now()
    runtime.refuse = Infinity
    runtime.cut()
    await environment.clock.advance(8_000)
    runtime.refuse = 0
    await environment.clock.advance(60_000)
    expect(attempts.length).toBeLessThanOrEqual(6)
    expect(attempts.at(-1)).toBeGreaterThanOrEqual(start + 8_000)
    for (const job of runtime.jobs.values()) job.end()
    await settle()
    await Promise.all(handles.map(({ result }) => result))
    expect(runtime.jobs.size).toBe(JOBS)
  })

  it('are kept in bounded memory: ended jobs, ids and streams are dropped after a while', async () => {
    const environment = createManualEnvironment()
    const runtime = createMemoryRuntime({
      onInvoke: (job) => {
        job.say('x')
        job.end()
      },
    })
    const arcp = new ArcpClient({ transport: runtime.transport, environment })
    for (let round = 0; round < 5; round++) {
      const handles = Array.from({ length: JOBS }, () => arcp.invoke('count'))
      await settle()
      await Promise.all(handles.map(({ result }) => result))
    }
    expect(arcp.getState().jobs.size).toBeLessThanOrEqual(1_100)
    expect(arcp.getState().streams.size).toBeLessThanOrEqual(1_100)
  })
})
