import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

let bench: Bench
let user: BenchPage
let posts = 0

/** An agent of another origin that allows no page of ours. */
const elsewhere = createServer((req, res) => {
  if (req.method === 'POST') posts += 1
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.end('data: not for this page\n\n')
})

beforeAll(async () => {
  bench = await openBench()
  await new Promise<void>((resolve) => {
    elsewhere.listen(0, '127.0.0.1', resolve)
  })
})

afterAll(async () => {
  elsewhere.closeAllConnections()
  elsewhere.close()
  await bench?.close()
})

beforeEach(async () => {
  user = await bench.open()
})

afterEach(() => user.close())

describe('an agent that the browser cannot reach', () => {
  // A TCP server always has an AddressInfo once it listens.
  const origins = {
    'refuses the connection': () => 'http://127.0.0.1:1',
    'has a name nobody knows': () => 'http://agent.invalid',
    'allows no page of this origin': () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
    'speaks no TLS': () => `https://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
  }

  it.each(Object.entries(origins))(
    'because it %s is one typed failure, with the question kept',
    async (_, originOf) => {
      await user.set('Base URL', originOf())
      await user.set('Max retries', '1')
      await user.ask('Is anybody there?')
      await user.page.locator('.cs-message[data-role="user"][data-status="not-sent"]').waitFor()
      const banner = user.page.locator('.cs-banner')
      await banner.waitFor()
      await banner.locator('summary').click()
      expect(await banner.textContent()).toContain('network_error')
      expect(await banner.textContent()).toContain('Couldn’t reach the assistant')
      expect(await user.answers().count()).toBe(0)
    },
  )

  it('can be exchanged for another one by the same form, whose buttons stay where they are', async () => {
    for (const baseUrl of ['http://127.0.0.1:1', 'http://agent.invalid', '/cap']) {
      await user.set('Base URL', baseUrl)
      expect(await user.page.locator('dialog[open]').count()).toBe(0)
    }
  })

  it('never hears a question that it did not allow', () => {
    expect(posts).toBe(0)
  })
})
