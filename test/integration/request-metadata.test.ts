import { afterEach, describe, expect, it } from 'vitest'
import { A2AClient } from '../../src/a2a.ts'
import { AgUiClient } from '../../src/ag-ui.ts'
import { AiSdkClient } from '../../src/ai-sdk.ts'
import { createArcpRuntime } from '../../src/arcp-runtime.ts'
import { ArcpClient, memoryTransport, toolClient } from '../../src/arcp.ts'
import { CapClient, createChat, textOf, type AgentClient, type ChatInstance } from '../../src/index.ts'
import { isJsonObject, type JsonObject } from '../../src/base/json-object.ts'
import { createAgentHandler } from '../../src/server.ts'
import { createMemoryAgent } from '../support/a2a/memory-agent.ts'

// Metadata of one request reach the agent over every protocol: of a message, of a regenerated answer, and of the same again.

/** An agent behind a client. */
interface Wire {
  readonly client: AgentClient
  /** What the agent found in each run. */
  readonly found: readonly unknown[]
  /** Ends the answer of an agent that does not by itself. Absent: it does. */
  finish?(): Promise<void>
  /** Ends what outlives the chat. Absent: nothing does. */
  close?(): Promise<void>
}

let close: (() => Promise<void>) | undefined
let chat: ChatInstance | undefined

afterEach(async () => {
  await chat?.dispose()
  await close?.()
  chat = undefined
  close = undefined
})

/** An agent of the server of this package, and the bodies that were posted to it. */
function serve(): {
  readonly found: unknown[]
  readonly bodies: JsonObject[]
  fetch(url: string, init: RequestInit): Promise<Response>
} {
  const found: unknown[] = []
  const bodies: JsonObject[] = []
  const handler = createAgentHandler({
    agent: async function* (_request, run) {
      found.push(run.metadata)
      yield `Answer ${found.length}.`
    },
  })
  return {
    found,
    bodies,
    fetch(url, init) {
      // Every client of this test posts JSON objects.
      if (init.method === 'POST') bodies.push(JSON.parse(init.body as string) as JsonObject)
      return handler(new Request(url, init))
    },
  }
}

const URL_OF_AGENT = 'https://agent.test/v1/assist'

const WIRES: Readonly<Record<string, () => Wire>> = {
  CAP() {
    const { found, fetch } = serve()
    return { found, client: new CapClient({ baseUrl: 'https://agent.test', fetch }) }
  },
  'AG-UI'() {
    const { found, fetch } = serve()
    return { found, client: new AgUiClient({ url: URL_OF_AGENT, fetch }) }
  },
  'the AI SDK'() {
    const { found, fetch } = serve()
    return { found, client: new AiSdkClient({ api: URL_OF_AGENT, fetch, namesRuns: true }) }
  },
  A2A() {
    const found: unknown[] = []
    const agent = createMemoryAgent()
    const { transport } = agent
    const client = new A2AClient({
      transport: {
        ...transport,
        sendMessageStream(request, options) {
          found.push(isJsonObject(request.message) ? request.message['metadata'] : undefined)
          return transport.sendMessageStream(request, options)
        },
      },
    })
    return {
      found,
      client,
      async finish() {
        await expect.poll(() => agent.streams).toBe(1)
        agent.append('answer', `Answer ${found.length}.`)
        agent.status('COMPLETED')
      },
    }
  },
  ARCP() {
    const found: unknown[] = []
    const runtime = createArcpRuntime({
      tools: {
        assistant: async function* ({ metadata }) {
          found.push(metadata ?? undefined)
          yield `Answer ${found.length}.`
        },
      },
    })
    const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })
    return {
      found,
      client: toolClient(arcp, {
        tool: 'assistant',
        toArguments: ({ text, metadata = null }) => ({ question: text, metadata }),
      }),
      async close() {
        arcp.close()
        await runtime.close()
      },
    }
  },
}

function open({ client, close: end }: Pick<Wire, 'client' | 'close'>): ChatInstance {
  close = end
  chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  return chat
}

const answerOf = ({ getSnapshot }: ChatInstance): string => {
  const last = getSnapshot().messages.at(-1)
  return last === undefined ? '' : `${last.status}: ${textOf(last)}`
}

describe.each(Object.keys(WIRES))('over %s', (name) => {
  it('the agent receives the metadata of each request', async () => {
    const wire = WIRES[name]?.()
    if (wire === undefined) throw new Error(`There is no ${name}.`)
    const own = open(wire)
    async function run(action: Promise<unknown>): Promise<string> {
      await wire?.finish?.()
      await action
      return answerOf(own)
    }
    expect(await run(own.sendMessage('Why?'))).toBe('complete: Answer 1.')
    expect(await run(own.regenerate(undefined, { metadata: { model: 'large' } }))).toBe('complete: Answer 2.')
    expect(await run(own.regenerate(undefined, { metadata: { model: 'small' } }))).toBe('complete: Answer 3.')
    expect(await run(own.regenerate())).toBe('complete: Answer 4.')
    expect(await run(own.regenerate())).toBe('complete: Answer 5.')
    expect(
      await run(own.sendMessage({ text: 'And?', metadata: { place: 'river' } }, { metadata: { model: 'large' } })),
    ).toBe('complete: Answer 6.')
    expect(wire.found).toEqual([
      undefined,
      { model: 'large' },
      { model: 'small' },
      undefined,
      undefined,
      { place: 'river', model: 'large' },
    ])
  })
})

describe('where the request has them', () => {
  it('AG-UI: under a name of their own in forwardedProps, so that no key is a command', async () => {
    const { bodies, fetch } = serve()
    const forwardedProps = { tenant: 'a', metadata: { place: 'river' } }
    const own = open({ client: new AgUiClient({ url: URL_OF_AGENT, fetch, forwardedProps }) })
    await own.sendMessage('Why?')
    await own.regenerate(undefined, { metadata: { command: { resume: true }, model: 'large' } })
    expect(bodies.map((body) => body['forwardedProps'])).toEqual([
      forwardedProps,
      { tenant: 'a', metadata: { place: 'river', command: { resume: true }, model: 'large' } },
    ])
  })

  it('AG-UI: the server keeps nothing else of forwardedProps', async () => {
    const { found, fetch } = serve()
    const forwardedProps = { authorization: 'secret', metadata: { place: 'river' } }
    const own = open({ client: new AgUiClient({ url: URL_OF_AGENT, fetch, forwardedProps }) })
    await own.sendMessage('Why?')
    expect(found).toEqual([{ place: 'river' }])
  })

  it('the AI SDK: at the last message of the user; those before keep what they were sent with', async () => {
    const { bodies, fetch } = serve()
    const own = open({ client: new AiSdkClient({ api: URL_OF_AGENT, fetch }) })
    await own.sendMessage('Why?', { metadata: { model: 'small' } })
    await own.sendMessage('And?')
    await own.regenerate(undefined, { metadata: { model: 'large' } })
    const metadata = bodies.map(({ messages }) =>
      (messages as readonly JsonObject[]).map((message) => message['metadata']),
    )
    expect(metadata).toEqual([
      [{ model: 'small' }],
      [{ model: 'small' }, undefined, undefined],
      [{ model: 'small' }, undefined, { model: 'large' }],
    ])
  })

  it('the AI SDK: another model is another run, also where requests do not name theirs', async () => {
    const { found, fetch } = serve()
    const own = open({ client: new AiSdkClient({ api: URL_OF_AGENT, fetch, namesRuns: false }) })
    await own.sendMessage('Why?')
    await own.regenerate(undefined, { metadata: { model: 'large' } })
    await own.regenerate(undefined, { metadata: { model: 'small' } })
    expect(found).toEqual([undefined, { model: 'large' }, { model: 'small' }])
    expect(answerOf(own)).toBe('complete: Answer 3.')
  })
})
