import { describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { createManualClock } from '../../support/manual-clock.ts'

/** As written in JavaScript, where no type objects. */
const untyped = <Value>(value: unknown): Value => value as Value

describe('what a handler says of its health', () => {
  it('has its uptime in seconds', async () => {
    const clock = createManualClock()
    const handler = createAgentHandler({ agent: async () => {}, clock })
    await clock.advance(90_500)
    const response = await handler(new Request('https://agent.example/health'))
    expect(await response.json()).toMatchObject({ status: 'ok', uptime_seconds: 90.5 })
  })

  it.each([
    ['an id that is no UUID', { agentId: 'rivers' }, /health\.agentId is "rivers"/],
    ['a version that is a number', { version: untyped<string>(2) }, /health\.version is 2/],
  ])('is refused where the handler is made: %s', (_what, health, reason) => {
    expect(() => createAgentHandler({ agent: async () => {}, health })).toThrow(
      expect.objectContaining({ code: 'invalid_config', message: expect.stringMatching(reason) }),
    )
  })
})
