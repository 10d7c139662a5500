import { describe, expect, it } from 'vitest'
import { A2AClient } from '../../src/protocols/a2a/client/a2a-client.ts'
import { AgentCardResolver } from '../../src/protocols/a2a/client/agent-card-resolver.ts'
import { loadConformance } from './conformance-data.ts'

interface Step {
  readonly client_response: { readonly operation: string; readonly wire_payload: object }
  readonly expect_parsed: Readonly<Record<string, unknown>>
}

interface Suite {
  readonly suites: readonly { readonly tests: readonly { readonly id: string; readonly steps: readonly Step[] }[] }[]
}

/** What a client makes of a payload, by the name of the operation. An error is `{ error }`, with the code as a number. */
async function parse({ client_response: { operation, wire_payload } }: Step): Promise<unknown> {
  const fetch = async (): Promise<Response> =>
    new Response(JSON.stringify(wire_payload), { headers: { 'content-type': 'application/json' } })
  const client = A2AClient.fromUrl('https://agent.test/a2a', { fetch })
  try {
    if (operation === 'send_message') return await client.sendMessage('Hello')
    if (operation === 'get_task') return await client.getTask('t')
    // Cards come without an envelope in this suite, the extended one too.
    return await new AgentCardResolver({ fetch }).resolve('https://agent.test')
  } catch (error) {
    const { agentCode, message } = error as { readonly agentCode?: string; readonly message: string }
    return { error: { code: Number(agentCode), message } }
  }
}

/** An expectation of the suite: values, `{ count_gte }` of lists, `{ contains }` of texts. */
function meets(value: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null) {
    expect(value, path).toEqual(expected)
    return
  }
  for (const [key, each] of Object.entries(expected)) {
    if (key === 'count_gte') expect(Array.isArray(value) ? value.length : -1, path).toBeGreaterThanOrEqual(Number(each))
    else if (key === 'contains') expect(String(value).toLowerCase(), path).toContain(String(each))
    else meets(Reflect.get(Object(value), key), each, `${path}.${key}`)
  }
}

const data = loadConformance<Suite>('acts-client-parsing.json')
const tests = (data?.suites ?? []).flatMap((suite) => suite.tests)

/** The client suite of the A2A conformance tests (ACTS). All of it passes: there are no differences to list. */
describe.skipIf(data === undefined)('the client suite of the A2A conformance tests', () => {
  it('is there as a whole', () => {
    expect(tests).toHaveLength(8)
  })

  it.each(tests.map(({ id, steps }) => [id, steps] as const))('%s', async (id, steps) => {
    for (const step of steps) meets(await parse(step), step.expect_parsed, id)
  })
})
