import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { AgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { allPackets, packetsOf, postRequest } from '../peer.ts'

const RUNS = 20

/** An agent that says one word, and another one when the test lets it. */
function agentThatWaits(): { readonly handler: (signal?: AbortSignal) => AgentHandler; readonly goOn: () => void } {
  let goOn = (): void => {}
  const opened = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const clock = createManualClock()
  return {
    goOn: () => goOn(),
    handler: (signal) =>
      createAgentHandler({
        agent: async function* () {
          yield 'one '
          await opened
          yield 'two'
        },
        clock,
        signal,
        onError: () => {},
      }),
  }
}

const requestIdOf = (run: number): string => `0b7e7c52-6f0a-4d0e-9d6e-${String(run).padStart(12, '0')}`

/** The first packets of as many runs, which all continue. */
async function beginRuns(handler: AgentHandler): Promise<readonly Response[]> {
  return Promise.all(
    Array.from({ length: RUNS }, (_, run) =>
      handler(postRequest('https://agent.test/assist', { requestId: requestIdOf(run) })),
    ),
  )
}

const SERVERS: Readonly<
  Record<string, (agent: ReturnType<typeof agentThatWaits>, signal: AbortSignal) => AgentHandler>
> = {
  'an agent handler': (agent, signal) => agent.handler(signal),
  'a proxy with a log': (agent, signal) => {
    const upstream = agent.handler()
    return createAgentProxy({
      upstream: 'https://upstream.test',
      headers: {},
      authorize: () => 'ann',
      fetch: async (input, init) => upstream(new Request(input, init)),
      log: memoryEventLog(),
      clock: createManualClock(),
      signal,
      onError: () => {},
    })
  },
}

describe.each(Object.entries(SERVERS))('the signal that stops %s', (_, create) => {
  it('keeps nothing of a run that has ended, and has one listener however many runs there are', async () => {
    const stopping = new AbortController()
    const joined = vi.spyOn(AbortSignal, 'any')
    const agent = agentThatWaits()
    const responses = await beginRuns(create(agent, stopping.signal))
    expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1)
    agent.goOn()
    for (const response of responses) expect((await allPackets(response)).at(-1)?.op).toBe('CLOSE')
    expect(joined.mock.calls.filter(([signals]) => [...signals].includes(stopping.signal))).toEqual([])
    joined.mockRestore()
    expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1)
    const aborted = vi.spyOn(AbortController.prototype, 'abort')
    stopping.abort()
    expect(aborted).toHaveBeenCalledTimes(1)
    aborted.mockRestore()
  })

  it('ends every run under way, and those that begin afterwards', async () => {
    const stopping = new AbortController()
    const handler = create(agentThatWaits(), stopping.signal)
    const readers = (await beginRuns(handler)).map(packetsOf)
    for (const packets of readers) expect((await packets.next()).value).toMatchObject({ op: 'DELTA' })
    stopping.abort()
    for (const packets of readers)
      expect((await packets.next()).value).toMatchObject({ op: 'ERROR', p: { code: 'server_stopping' } })
    const late = await handler(postRequest('https://agent.test/assist', { requestId: requestIdOf(RUNS) }))
    expect(await late.text()).toContain('server_stopping')
  })
})
