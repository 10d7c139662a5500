import { describe, expect, it } from 'vitest'
import { fetchEventSourceTransport } from '../../src/fetch-event-source.ts'
import { hear } from './hear.ts'

describe('the fetch-event-source transport where there is no page', () => {
  it('can be made, and says what to use instead when it is asked to send', async () => {
    let requests = 0
    const transport = fetchEventSourceTransport({
      fetch: () => {
        requests += 1
        return Promise.resolve(new Response())
      },
    })
    const { error } = await hear(transport, { url: 'https://agent.example/assist' })
    expect(error).toMatchObject({ typed: true, kind: 'protocol', code: 'invalid_config', severity: 'FATAL' })
    expect(error?.message).toMatch(/window.*fetchTransport\(\)/)
    expect(requests).toBe(0)
  })
})
