import { ClientFactory } from '@a2a-js/sdk/client'
import { afterEach, describe, expect, it } from 'vitest'
import { backoff } from '../../../../src/base/backoff.ts'
import { A2AClient } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { createChat } from '../../../../src/state/chat.ts'
import { chaosProxy } from '../../../support/a2a/chaos-proxy.ts'
import { createMemoryAgent } from '../../../support/a2a/memory-agent.ts'
import type { GrpcService } from '../../../support/a2a/memory-grpc.ts'
import { grpcTransport, GrpcStatus } from '../../../support/a2a/memory-grpc.ts'
import { keepServerQuiet } from '../../../support/a2a/quiet-server.ts'
import { sdkClientTransport } from '../../../support/a2a/sdk-client-transport.ts'
import { serveSdkAgent, wordsOf } from '../../../support/a2a/sdk-agent.ts'

const retry = { ...backoff({ maxAttempts: 5 }), delayMs: () => 10 }
const chats: ChatInstance[] = []

keepServerQuiet()

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

function chatOf(client: A2AClient): ChatInstance {
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  chats.push(chat)
  return chat
}

const partsOf = (chat: ChatInstance) => chat.getSnapshot().messages.at(-1)?.parts ?? []
const textOf = (chat: ChatInstance): string =>
  partsOf(chat).reduce((all, part) => (part.type === 'text' ? all + part.text : all), '')

describe('a transport that wraps the client of the official SDK', () => {
  const connect = async (origin: string): Promise<A2AClient> =>
    new A2AClient({ transport: sdkClientTransport(await new ClientFactory().createFromUrl(origin)), retry })

  it('carries a whole conversation', async () => {
    const agent = await serveSdkAgent()
    const client = await connect(agent.origin)
    const chat = chatOf(client)
    await chat.sendMessage('stream 12')
    expect(textOf(chat)).toBe(wordsOf(12))
    await chat.sendMessage({ text: 'echo', files: [{ data: 'SGVsbG8=', name: 'a.txt', mimeType: 'text/plain' }] })
    expect(partsOf(chat)).toContainEqual(expect.objectContaining({ type: 'artifact', bytes: 'SGVsbG8=' }))
    await chat.sendMessage('ask')
    const prompt = partsOf(chat).find(({ type }) => type === 'prompt')
    await chat.answer(prompt?.id ?? '', { type: 'value', value: { reply: 'the Loire' } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(textOf(chat)).toBe('You said the Loire.')
    expect(chat.getSnapshot()).toMatchObject({ error: undefined, warnings: [] })
  })

  it('is resumed where the SDK alone would have ended or thrown, with one message', async () => {
    const agent = await serveSdkAgent({ tickMs: 5 })
    for (const how of ['end', 'reset'] as const) {
      const broken = await chaosProxy(agent.origin, [{ type: 'cut', after: 9, how }])
      const direct = await new ClientFactory().createFromUrl(agent.origin)
      // The card names the agent itself, so the client is given one with the address of what breaks.
      const card = await direct.getAgentCard()
      const interfaces = card.supportedInterfaces.map((each) => ({
        ...each,
        url: each.url.replace(agent.origin, broken),
      }))
      const sdk = await new ClientFactory().createFromAgentCard({ ...card, supportedInterfaces: interfaces })
      const chat = chatOf(new A2AClient({ transport: sdkClientTransport(sdk), retry }))
      await chat.sendMessage('stream 20')
      expect(textOf(chat)).toBe(wordsOf(20))
      expect(chat.getSnapshot().error).toBeUndefined()
    }
    expect(agent.count('SendStreamingMessage')).toBe(2)
  })

  it('gives the codes of the agent', async () => {
    const client = await connect((await serveSdkAgent()).origin)
    await expect(client.getTask('none')).rejects.toMatchObject({ name: 'A2AError', agentCode: '-32001' })
    expect(await client.getExtendedAgentCard()).toMatchObject({ name: 'Rivers' })
  })
})

/** The memory agent as a service of gRPC. */
function grpcOf(agent: ReturnType<typeof createMemoryAgent>): GrpcService {
  const { transport } = agent
  const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
  const params = (request: Uint8Array): Record<string, unknown> => JSON.parse(new TextDecoder().decode(request))
  const refuse = (error: unknown): never => {
    const code: unknown = Reflect.get(Object(error), 'agentCode')
    if (code === '-32001') throw new GrpcStatus('NOT_FOUND', 'TASK_NOT_FOUND')
    if (code === '-32004') throw new GrpcStatus('FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION')
    throw new GrpcStatus('UNAVAILABLE')
  }
  return {
    async unary(method, request, signal) {
      const call =
        method === 'SendMessage'
          ? transport.sendMessage
          : method === 'ListTasks'
            ? transport.listTasks
            : method === 'CancelTask'
              ? transport.cancelTask
              : transport.getTask
      return bytes(await call?.(params(request), { signal }).catch(refuse))
    },
    async *serverStream(method, request, signal) {
      const open = method === 'SubscribeToTask' ? transport.resubscribe : transport.sendMessageStream
      try {
        for await (const { frames } of open(params(request), { signal }))
          for (const { response } of frames) yield bytes(response)
      } catch (error) {
        refuse(error)
      }
    },
  }
}

describe('a transport over gRPC', () => {
  it('is found by the card, and carries a run over a broken stream', async () => {
    const agent = createMemoryAgent()
    const card = {
      name: 'Rivers',
      supportedInterfaces: [{ url: 'grpc.agent.test:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    }
    const bindings = { GRPC: grpcTransport(grpcOf(agent)) }
    expect(() => A2AClient.fromAgentCard(card, { bindings, retry })).toThrow(/name its origin in `origins`/)
    const client = A2AClient.fromAgentCard(card, { bindings, origins: ['grpc.agent.test:443'], retry })
    const chat = chatOf(client)
    const sent = chat.sendMessage('Why?')
    await expect.poll(() => agent.streams).toBe(1)
    agent.append('a', 'Rivers ')
    agent.cut('reset')
    agent.append('a', 'bend')
    await expect.poll(() => textOf(chat)).toBe('Rivers bend')
    agent.append('a', '.')
    agent.status('COMPLETED')
    await sent
    expect(textOf(chat)).toBe('Rivers bend.')
    expect(agent.messages).toHaveLength(1)
    expect(agent.calls).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'GetTask'])
    await expect(client.getTask('none')).rejects.toMatchObject({ agentCode: '-32001' })
  })
})
