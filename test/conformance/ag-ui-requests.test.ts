import { describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../src/server.ts'
import { loadConformance } from './conformance-data.ts'

interface RequestEntry {
  readonly name: string
  readonly request: Readonly<Record<string, unknown>>
  readonly expect: { readonly accept: boolean }
}

/** Requests that answer a question: this server has asked none, and says so. */
const ANSWERS: ReadonlySet<string> = new Set(['request-resume-payload-null'])

const data = loadConformance<{ readonly requests: readonly RequestEntry[] }>('ag-ui.json')
const requests = data?.requests ?? []

describe.skipIf(data === undefined)('the request bodies of ag-ui.json', () => {
  it('are all there', () => {
    expect(requests).toHaveLength(23)
  })

  it.each(requests.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
    let runs = 0
    const handler = createAgentHandler({
      async *agent() {
        runs += 1
        yield 'Rivers meander.'
      },
      onError: () => {},
    })
    const response = await handler(
      new Request('https://app.test/ag-ui', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(entry.request),
      }),
    )
    const text = await response.text()
    const isAccepted = entry.expect.accept && !ANSWERS.has(name)
    expect([response.status, runs]).toEqual(isAccepted ? [200, 1] : [400, 0])
    if (isAccepted) expect(text).toContain('"RUN_FINISHED"')
    else expect(text).toContain(ANSWERS.has(name) ? 'resume answers an interrupt' : 'RunAgentInput of AG-UI')
  })
})
