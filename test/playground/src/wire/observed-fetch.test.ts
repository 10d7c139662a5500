import { describe, expect, it } from 'vitest'
import { observedFetch } from '../../../../playground/src/wire/observed-fetch.ts'
import { createPageNetwork } from '../../../../playground/src/wire/page-network.ts'
import { createWireRecorder } from '../../../../playground/src/wire/wire-recorder.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'

const ADDRESS = 'https://agent.test/cap/runs/0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10/answer'

function observe(answer: () => Promise<Response>) {
  const environment = createManualEnvironment()
  const wire = createWireRecorder(environment)
  const page = createPageNetwork(environment.online)
  const fetch = observedFetch({ wire, page, fetch: answer })
  const notes = (): readonly string[] => {
    environment.paint()
    return wire.get().rows.flatMap((row) => (row.kind === 'note' ? [row.text] : []))
  }
  return { send: async () => fetch(ADDRESS, { method: 'POST' }), notes, wire, page }
}

describe('a command of the page', () => {
  it.each<[number, string]>([
    [200, 'answer: accepted'],
    [403, 'answer: HTTP 403'],
  ])('that is answered by %i is noted, and is not its own run', async (status, note) => {
    const { send, notes, wire } = observe(async () => new Response('{}', { status }))
    expect((await send()).status).toBe(status)
    expect(notes()).toEqual(['POST answer', note])
    expect(wire.runs()).toEqual([])
  })

  it('that is lost, or sent offline, is noted and fails', async () => {
    const { send, notes, page } = observe(async () => Promise.reject(new TypeError('Lost.')))
    await expect(send()).rejects.toThrow('Lost.')
    page.setOffline(true)
    await expect(send()).rejects.toThrow('offline')
    expect(notes()).toEqual(['POST answer', 'answer: no response', 'POST answer', 'answer: no response'])
  })
})
