import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpMessage } from '../../../../src/protocols/arcp/read/message.ts'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import { createArcpRuntime } from '../../../../src/runtime/arcp-runtime.ts'
import { memoryTransport } from '../../../../src/wire/memory-transport.ts'
import { serve, until } from '../../../runtime/served-runtime.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

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

  it('stays closed, and keeps its count, when the runtime is sent it again and answers as before', async () => {
    const runtime = createArcpRuntime({ tools: { echo: ({ n }) => n } })
    let again: string | undefined
    const transport = memoryTransport((connection) => {
      /** The subscribe is sent again behind each call and behind the unsubscribe, as a network may repeat it. */
      async function* repeated(): AsyncGenerator<readonly string[]> {
        for await (const frames of connection.frames) {
          again = frames.find((frame) => frame.includes('"subscribe"')) ?? again
          yield frames
          if (again !== undefined && frames.some((frame) => /"(tool\.invoke|unsubscribe)"/.test(frame))) yield [again]
        }
      }
      return runtime.accept({
        frames: repeated(),
        send: (frame) => connection.send(frame),
        close: () => connection.close(),
      })
    })
    const arcp = new ArcpClient({ transport })
    const states: unknown[] = []
    const subscription = arcp.subscribe({ types: ['tool.result'] }, { onMessage: () => undefined })
    const id = await subscription.accepted
    const look = (): unknown => states.push(arcp.getState().subscriptions.get(id))
    await arcp.invoke('echo', { n: 1 }).result
    await arcp.invoke('echo', { n: 2 }).result
    await until(() => arcp.getState().subscriptions.get(id)?.events === 2)
    look()
    subscription.close()
    await until(() => arcp.getState().subscriptions.get(id)?.state === 'closed')
    await arcp.invoke('echo', { n: 3 }).result
    look()
    expect(states).toMatchObject([
      { state: 'open', events: 2 },
      { state: 'closed', events: 2 },
    ])
    arcp.close()
    await runtime.close()
  })
})
