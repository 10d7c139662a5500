import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventLogCases } from '../../src/testing/event-log-cases.ts'
import { startWorker, type StartedWorker } from './start.ts'

let app: StartedWorker
beforeAll(async () => {
  app = await startWorker('durable-log.ts', { durableObjects: { LOG: { className: 'Log', useSQLite: true } } })
})
afterAll(() => app.stop())

describe('the event log of a Durable Object', () => {
  it.each(eventLogCases)('$name', async ({ name }) => {
    const url = new URL(app.url)
    url.searchParams.set('case', name)
    const response = await fetch(url)
    expect(await response.text()).toBe('passed')
  })
})
