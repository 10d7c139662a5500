import { afterEach, describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import { createChat } from '../../src/state/chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import type { Script, ScriptedAgent } from '../../src/testing/scripted-agent.ts'
import { cut, pause, refuse, scriptedAgent, silence, status } from '../../src/testing/scripted-agent.ts'
import { settle } from '../../src/testing/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

let environment: ManualEnvironment
let agent: ScriptedAgent
let chat: ChatInstance

/** Asks a question on a clock that does not change. */
async function ask(script: Script, retry = backoff()): Promise<void> {
  environment = createManualEnvironment()
  environment.chance = 0.5
  agent = scriptedAgent(script, { clock: environment.clock })
  const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch, environment, retry })
  chat = createChat({ client: () => client, conversationId: environment.uuid() })
  void chat.sendMessage('Why?')
  await settle()
}

function now(): {
  readonly phase: string
  readonly text: string
  readonly nextRetryAt: number | undefined
  readonly status: string | undefined
} {
  environment.paint()
  const { connection, messages } = chat.getSnapshot()
  const answer = messages[1]
  return {
    phase: connection.phase,
    nextRetryAt: connection.nextRetryAt,
    text: answer === undefined ? '' : textOf(answer),
    status: answer?.status,
  }
}

describe('the pause between attempts', () => {
  it('row 1: the wait before another attempt is random up to a ceiling that doubles', async () => {
    const policy = backoff({ maxAttempts: 6 })
    const error = { retryAfterMs: undefined } as Parameters<typeof policy.delayMs>[1] // all the policy reads of it
    const ceilings = [1, 2, 3, 4].map((attempt) => policy.delayMs(attempt, error, 1))
    expect(ceilings).toEqual([1, 2, 4, 8].map((times) => times * (ceilings[0] ?? 0)))
    expect([1, 2, 3].map((attempt) => policy.delayMs(attempt, error, 0))).toEqual([0, 0, 0])
    expect(policy.delayMs(1, error, 0.5)).toBe((ceilings[0] ?? 0) / 2)
    expect(policy.delayMs(40, error, 1)).toBe(30_000)
  })
})

describe('time, on its own clock', () => {
  afterEach(async () => {
    await chat.dispose()
    await settle()
    expect(environment.clock.pending).toBe(0)
    expect(environment.listeners).toBe(0)
  })

  it('row 16: Retry-After is the floor of the wait, the wait can be counted down, and a user may skip it', async () => {
    await ask(['A', cut(), status(503, { retryAfterSeconds: 600 }), 'B'])
    await environment.clock.advance(5000)
    expect(now()).toMatchObject({ phase: 'waiting', text: 'A' })
    const { nextRetryAt = 0 } = now()
    expect(nextRetryAt).toBeGreaterThanOrEqual(600_000)
    await environment.clock.advance(300_000)
    expect(agent.attempts).toHaveLength(2)
    void chat.retry()
    await settle()
    expect(now()).toMatchObject({ phase: 'closed', text: 'AB', status: 'complete' })
  })

  it('row 27: a wall clock that jumps moves no wait', async () => {
    await ask(['A', cut(), refuse(), 'B'])
    const { nextRetryAt } = now()
    environment.clock.sleep(-7_200_000)
    expect(now()).toMatchObject({ phase: 'waiting', nextRetryAt })
    await environment.clock.advance(60_000)
    expect(now()).toMatchObject({ status: 'complete', text: 'AB' })
  })

  it('row 27: a Retry-After date is read against the Date header, however wrong this device is', async () => {
    const server = Date.parse('1999-12-31T23:00:00Z')
    await ask(['A', cut(), 'B'])
    const headers = { date: new Date(server).toUTCString(), 'retry-after': new Date(server + 120_000).toUTCString() }
    let calls = 0
    const client = new CapClient({
      baseUrl: 'https://agent.test',
      environment,
      fetch: (url, init) =>
        (calls += 1) === 2 ? Promise.resolve(new Response('', { status: 503, headers })) : agent.fetch(url, init),
    })
    const own = createChat({ client: () => client, conversationId: environment.uuid() })
    void own.sendMessage('Why?')
    await environment.clock.advance(10_000)
    environment.paint()
    expect(own.getSnapshot().connection).toMatchObject({ phase: 'waiting', error: { retryAfterMs: 120_000 } })
    await own.dispose()
  })

  it('row 28: after a sleep the dead connection is left and resumed immediately', async () => {
    await ask(['A', silence(), 'B'])
    expect(now()).toMatchObject({ phase: 'streaming', text: 'A' })
    environment.clock.sleep(3_600_000)
    await environment.clock.advance(5000)
    expect(agent.attempts).toHaveLength(2)
    expect(now()).toMatchObject({ status: 'complete', text: 'AB' })
    expect(agent.runs).toBe(1)
  })

  it('row 29: a hidden page keeps its stream', async () => {
    await ask(['A', pause(40_000), 'B', pause(40_000), 'C'])
    environment.hide()
    await environment.clock.advance(41_000)
    expect(now()).toMatchObject({ phase: 'streaming', text: 'AB' })
    environment.show()
    await environment.clock.advance(41_000)
    expect(now()).toMatchObject({ status: 'complete', text: 'ABC' })
    expect(agent.attempts).toHaveLength(1)
  })

  it('row 29: a user who returns to a frozen page finds out immediately whether its connection is stale', async () => {
    await ask(['A', silence(), 'B'])
    environment.hide()
    environment.clock.sleep(600_000)
    environment.show()
    await environment.clock.advance(0)
    expect(agent.attempts).toHaveLength(2)
    expect(now()).toMatchObject({ status: 'complete', text: 'AB' })
  })

  it('row 30: no attempt while offline, one within a second of coming back', async () => {
    await ask(['A', cut(), 'B'])
    environment.goOffline()
    await environment.clock.advance(500_000)
    expect(agent.attempts).toHaveLength(1)
    expect(now()).toMatchObject({ phase: 'offline', text: 'A' })
    environment.chance = 0.999
    environment.goOnline()
    await environment.clock.advance(1000)
    expect(agent.attempts).toHaveLength(2)
    expect(now()).toMatchObject({ status: 'complete', text: 'AB' })
  })

  it('row 30: a network that flaps a hundred times makes no storm', async () => {
    environment = createManualEnvironment()
    let attempts = 0
    const fetch = (): Promise<Response> => {
      attempts += 1
      return Promise.reject(new TypeError('no network'))
    }
    const client = new CapClient({
      baseUrl: 'https://agent.test',
      fetch,
      environment,
      retry: backoff({ maxAttempts: 1000 }),
    })
    chat = createChat({ client: () => client, conversationId: environment.uuid() })
    void chat.sendMessage('Why?')
    for (let flap = 0; flap < 100; flap += 1) {
      environment.goOffline()
      await environment.clock.advance(300)
      environment.goOnline()
      await environment.clock.advance(300)
    }
    expect(attempts).toBeGreaterThan(1)
    expect(attempts).toBeLessThanOrEqual(15)
  })
})
