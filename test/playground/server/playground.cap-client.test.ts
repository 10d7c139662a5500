import { describe, expect, it } from 'vitest'
import { MEANDER_ANSWER } from '../../../playground/server/scenarios/river-prose.ts'
import type { ScenarioId } from '../../../playground/server/scenarios/scenario-list.ts'
import { CapClient, CapError, CapRuntimeError } from '../../../src/index.ts'
import { requestBody, REQUEST_ID } from '../../server/peer.ts'
import { openPlayground, type OpenPlayground } from '../open-playground.ts'

/** Our own client on the bench; it waits for nothing between two attempts. */
async function textOf(playground: OpenPlayground, scenario: ScenarioId, timeoutMs = 60_000): Promise<string> {
  const client = new CapClient({ baseUrl: `${playground.origin}/cap/v1`, timeoutMs, environment: { random: () => 0 } })
  let text = ''
  // requestBody writes a whole ServiceRequest but is typed as any object, so that tests can break it.
  const request = requestBody({ metadata: { scenario } }) as unknown as Parameters<CapClient['assist']>[0]
  for await (const packet of client.assist(request)) if (packet.op === 'DELTA') text += packet.p
  return text
}

describe('our own client on the bench', () => {
  it.each<[ScenarioId, number]>([
    ['plain-text', 1],
    ['cut-mid-packet', 2],
    ['end-without-close', 2],
    ['everything-twice', 1],
    ['warning', 1],
  ])('%s: hears the whole answer once, in %i connections of one run', async (scenario, connections) => {
    const playground = await openPlayground()
    expect(await textOf(playground, scenario)).toBe(MEANDER_ANSWER)
    const [run] = (await playground.state(REQUEST_ID)).runs
    expect(run).toMatchObject({ agentRuns: 1 })
    expect(run?.attempts).toHaveLength(connections)
  })

  it('log-lost: is told that the log is gone', async () => {
    await expect(textOf(await openPlayground(), 'log-lost')).rejects.toMatchObject({
      status: 409,
      agentCode: 'log_expired',
    })
  })

  it.each<[ScenarioId, object]>([
    ['fatal', { agentCode: 'auth_failed', severity: 'FATAL' }],
    ['http-401', { status: 401 }],
    ['http-500', { status: 500 }],
  ])('%s: fails with the reason', async (scenario, reason) => {
    const failure: unknown = await textOf(await openPlayground(), scenario).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CapRuntimeError)
    expect(failure).toBeInstanceOf(CapError)
    expect(failure).toMatchObject(reason)
  })

  it('reads the health', async () => {
    const { origin } = await openPlayground()
    expect(await new CapClient({ baseUrl: `${origin}/cap` }).health()).toMatchObject({ status: 'ok', version: '0.1.0' })
  })
})
