import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpMessage } from '../../../src/protocols/arcp/read/message.ts'
import { serve } from '../../runtime/arcp/served-runtime.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

describe('a subscription of the client', () => {
  it('ends with the client, which opens no other connection to say so', async () => {
    const { client, runtime, settle, pass, environment } = serve({ tools: {}, retentionMs: 1_000 })
    const arcp = client()
    const subscription = arcp.subscribe({}, { onMessage: () => undefined })
    await settle()
    await subscription.accepted
    expect(runtime.sessions).toMatchObject([{ connections: 1 }])
    arcp.close()
    await settle()
    expect(runtime.sessions).toMatchObject([{ connections: 0 }])
    await pass(120_000)
    expect(runtime.sessions).toEqual([])
    expect(environment.clock.pending).toBe(0)
  })

  it('shows questions of others, which can be answered by their message', async () => {
    const { client, settle } = serve({
      auth: { bearer: (token) => token },
      mayAccess: (principal) => principal === 'relay',
      tools: {
        ask: (_given, { askHuman }) => askHuman({ prompt: 'How many?', schema: { type: 'number' } }),
        write: (_given, { requestPermission }) =>
          requestPermission({ permission: 'p', resource: 'r', operation: 'o' }).then(({ permission }) => permission),
      },
    })
    const as = (token: string) => client({ auth: { scheme: 'bearer', token } })
    const [robot, relay] = [as('robot'), as('relay')]
    const asked: ArcpMessage[] = []
    relay.subscribe(
      { types: ['human.input.request', 'permission.request'] },
      { onMessage: (message) => asked.push(message) },
    )
    await settle()
    const job = robot.invoke('ask')
    await settle()
    const [question] = asked
    if (question === undefined) throw new Error('Nothing is asked.')
    const wrong = relay.answer(question, { type: 'value', value: 'many' })
    await settle()
    expect(await wrong).toMatchObject({ result: 'invalid' })
    const right = relay.answer(question, { type: 'value', value: 3 })
    await settle()
    expect(await right).toEqual({ result: 'accepted' })
    expect((await job.result).value).toMatchObject({ value: 3, respondedBy: 'user' })
    // The client that asked learns that another one has answered.
    expect([...robot.getState().prompts.values()]).toMatchObject([{ state: 'answered-elsewhere' }])
    const permission = robot.invoke('write')
    await settle()
    const granted = relay.answer(asked[1] ?? question, { type: 'option', optionId: 'grant' })
    await settle()
    expect(await granted).toEqual({ result: 'accepted' })
    expect((await permission.result).value).toBe('p')
    for (const each of [robot, relay]) each.close()
  })
})
