import { afterEach, describe, expect, it } from 'vitest'
import { type A2AHttpClientOptions, A2AClient } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import { AgentCardResolver } from '../../../../src/protocols/a2a/client/agent-card-resolver.ts'
import { httpJsonTransport } from '../../../../src/protocols/a2a/client/http-json-transport.ts'
import { jsonRpcTransport, jsonRpcV03Transport } from '../../../../src/protocols/a2a/client/json-rpc-transport.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import type { StreamResponse } from '../../../../src/protocols/a2a/messages.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { createChat } from '../../../../src/state/chat.ts'
import { serveOlderAgent } from '../../../support/a2a/older-agent.ts'
import { PEERS } from '../../../support/a2a/peers.ts'
import { keepServerQuiet } from '../../../support/a2a/quiet-server.ts'
import type { SdkAgent } from '../../../support/a2a/sdk-agent.ts'
import { serveSdkAgent, wordsOf } from '../../../support/a2a/sdk-agent.ts'

/** Waits of milliseconds, so that a reconnect does not take seconds. */
const QUICK: A2AHttpClientOptions = {
  retry: { ...backoff({ maxAttempts: 5 }), delayMs: () => 5 },
  pollMs: 20,
}

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

/** How often the server saw a call of this kind. */
const countOf = (agent: SdkAgent, kind: RegExp): number => agent.calls.filter(({ method }) => kind.test(method)).length

const taskIdOf = (chat: ChatInstance): string => {
  const prompt = answerOf(chat).parts.find((part) => part.type === 'prompt')
  return prompt?.type === 'prompt' ? prompt.prompt.streamId : ''
}

const answerOf = (chat: ChatInstance) => {
  const message = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
  if (message === undefined) throw new Error('There is no answer.')
  return message
}

const textOf = (chat: ChatInstance): string =>
  answerOf(chat)
    .parts.map((part) => (part.type === 'text' ? part.text : ''))
    .join('')

async function all(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const responses: StreamResponse[] = []
  for await (const response of stream) responses.push(response)
  return responses
}

describe.each(PEERS)('a chat with $name', ({ serve, connect, methods, lists }) => {
  const begin = async (options?: Parameters<typeof serve>[0]) => {
    const agent = await serve(options)
    const client = connect(agent.origin, QUICK)
    return { agent, client, chat: chatOf(client) }
  }

  it('shows the text of the artifact and ends with the task', async () => {
    const { agent, chat } = await begin()
    await chat.sendMessage('stream 20')
    expect(textOf(chat)).toBe(wordsOf(20))
    expect(answerOf(chat)).toMatchObject({ status: 'complete' })
    expect(chat.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, warnings: [] })
    expect(agent.calls).toHaveLength(1)
    expect(countOf(agent, methods.stream)).toBe(1)
  })

  it('continues in the context of the answer before', async () => {
    const { agent, client, chat } = await begin()
    await chat.sendMessage('stream 1')
    await chat.sendMessage('stream 2')
    expect(textOf(chat)).toBe(wordsOf(2))
    expect(agent.runs).toBe(2)
    if (!lists) return
    const { tasks } = await client.listTasks()
    expect(tasks).toHaveLength(2)
    expect(new Set(tasks.map(({ contextId }) => contextId)).size).toBe(1)
  })

  it('asks back, and the answer goes to the same task', async () => {
    const { agent, client, chat } = await begin()
    await chat.sendMessage('ask')
    const prompt = answerOf(chat).parts.find(({ type }) => type === 'prompt')
    const taskId = taskIdOf(chat)
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    expect(prompt).toMatchObject({ prompt: { kind: 'form', message: 'Which river?', answeredBy: 'next-run' } })
    await chat.answer(prompt?.id ?? '', { type: 'value', value: { reply: 'the Loire' } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(textOf(chat)).toBe('You said the Loire.')
    expect(countOf(agent, methods.stream)).toBe(2)
    expect(await client.getTask(taskId)).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_COMPLETED' } })
  })

  it('asks to sign in inside of the run, and continues by itself', async () => {
    const { chat } = await begin()
    const sent = chat.sendMessage('auth')
    await expect.poll(() => chat.getSnapshot().status).toBe('awaiting-input')
    await sent
    expect(textOf(chat)).toBe('Signed in.')
    const prompts = answerOf(chat).parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt] : []))
    expect(prompts).toMatchObject([{ kind: 'sign-in', message: 'Sign in to Maps.', state: 'answered-elsewhere' }])
  })

  it.each([
    ['fail', 'task_failed'],
    ['reject', 'task_rejected'],
  ])('says why the task did %s', async (word, agentCode) => {
    const { chat } = await begin()
    await chat.sendMessage(word)
    expect(chat.getSnapshot().error).toMatchObject({ agentCode, message: 'No map of this river.', severity: 'FATAL' })
    expect(answerOf(chat).status).toBe('failed')
  })

  it('says that an agent broke that threw', async () => {
    const { agent, chat } = await begin()
    await chat.sendMessage('throw')
    expect(chat.getSnapshot().error).toMatchObject({ agentCode: 'task_failed', severity: 'FATAL' })
    expect(agent.runs).toBe(1)
  })

  it('shows an answer without a task', async () => {
    const { chat } = await begin()
    await chat.sendMessage('message')
    expect(textOf(chat)).toBe('Hello there.')
    expect(answerOf(chat).status).toBe('complete')
  })

  it('shows files, addresses and data as their own artifacts', async () => {
    const { chat } = await begin()
    await chat.sendMessage('files')
    expect(textOf(chat)).toBe('See the files.')
    expect(answerOf(chat).parts.filter(({ type }) => type === 'artifact')).toMatchObject([
      { artifactId: 'raw', name: 'hello.txt', bytes: 'SGVsbG8=', mimeType: 'text/plain', state: 'complete' },
      { artifactId: 'url', url: 'https://files.example/a.pdf', state: 'complete' },
      { artifactId: 'data', data: { depth: [1, 2] }, state: 'complete' },
    ])
  })

  it('keeps interleaved artifacts whole, each in its own part', async () => {
    const { chat } = await begin()
    await chat.sendMessage('multi 12')
    expect(textOf(chat)).toBe(wordsOf(12))
    expect(answerOf(chat).parts.filter(({ type }) => type === 'artifact')).toMatchObject([
      { artifactId: 'two', text: wordsOf(12).replaceAll('[', '(').replaceAll(']', ')'), state: 'complete' },
    ])
  })

  it('shows what replaced an artifact after its last chunk', async () => {
    const { chat } = await begin()
    await chat.sendMessage('replace')
    expect(textOf(chat)).toBe('Final')
  })

  it('takes an artifact of 5 MiB', async () => {
    const { chat } = await begin()
    await chat.sendMessage(`big ${5 * 1024 * 1024}`)
    expect(textOf(chat)).toHaveLength(5 * 1024 * 1024)
  })

  it('sends files as bytes and as addresses, and shows them when they come back', async () => {
    const { chat } = await begin()
    await chat.sendMessage({
      text: 'echo',
      files: [{ data: 'SGVsbG8=', name: 'a.txt', mimeType: 'text/plain' }, 'https://files.example/b.pdf'],
    })
    expect(answerOf(chat).parts.filter(({ type }) => type === 'artifact')).toMatchObject([
      { artifactId: 'copy', bytes: 'SGVsbG8=', name: 'a.txt', mimeType: 'text/plain' },
      { artifactId: 'copy', url: 'https://files.example/b.pdf' },
    ])
  })

  it('cancels the task when it is stopped', async () => {
    const { agent, chat } = await begin()
    const sent = chat.sendMessage('slow')
    await expect.poll(() => answerOf(chat).status).toBe('streaming')
    expect(await chat.stop()).toBe('cancelled')
    await sent
    expect(countOf(agent, methods.cancel)).toBe(1)
    expect(answerOf(chat)).toMatchObject({ status: 'stopped', stop: 'cancelled' })
  })

  it('follows a task that is under way, and one that has ended', async () => {
    const agent = await serve({ tickMs: 10 })
    const client = connect(agent.origin, QUICK)
    const { task } = await client.sendMessage('stream 20', { configuration: { returnImmediately: true } })
    const followed = await all(client.resubscribe(task?.id ?? ''))
    expect(followed.at(-1)?.task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'reply' }],
    })
    const again = await all(client.resubscribe(task?.id ?? ''))
    // A server of 0.3 streams how it ended, and GetTask says it once more.
    expect(new Set(again.map((response) => response.task?.status.state))).toEqual(new Set(['TASK_STATE_COMPLETED']))
  })

  it('can be called without a chat, method by method', async () => {
    const { agent, client } = await begin()
    const { task } = await client.sendMessage('stream 3')
    const id = task?.id ?? ''
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'reply' }] })
    expect(await client.getTask(id, { historyLength: 5 })).toMatchObject({ id, history: [{ role: 'ROLE_USER' }, {}] })
    if (lists) expect((await client.listTasks({ pageSize: 5 })).tasks).toMatchObject([{ id }])
    else await expect(client.listTasks()).rejects.toMatchObject({ code: 'invalid_config' })
    expect(await client.getExtendedAgentCard()).toMatchObject({ skills: [{ id: 'explain' }] })
    const config = { taskId: id, id: 'p1', url: 'https://hooks.example/a' }
    expect(await client.createPushNotificationConfig(config)).toMatchObject(config)
    expect(await client.getPushNotificationConfig(id, 'p1')).toMatchObject(config)
    expect(await client.listPushNotificationConfigs(id)).toMatchObject({ configs: [config] })
    await client.deletePushNotificationConfig(id, 'p1')
    expect(await client.listPushNotificationConfigs(id)).toEqual({ configs: [] })
    expect(countOf(agent, methods.send)).toBe(1)
  })

  it('streams the events of a task unchanged', async () => {
    const { client } = await begin()
    const responses = await all(client.sendMessageStream('stream 3'))
    expect(responses.map((response) => Object.keys(response)[0])).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ])
  })

  it('throws what the agent says, with its code', async () => {
    const { client } = await begin()
    await expect(client.getTask('none')).rejects.toMatchObject({
      name: 'A2AError',
      agentCode: '-32001',
      code: 'not_found',
    })
    const { task } = await client.sendMessage('stream 1')
    await expect(client.cancelTask(task?.id ?? '')).rejects.toMatchObject({ agentCode: '-32002' })
  })
})

describe('an agent that does not stream', () => {
  it('is polled', async () => {
    const agent = await serveSdkAgent({ streaming: false })
    const chat = chatOf(A2AClient.fromUrl(agent.url, QUICK))
    await chat.sendMessage('stream 10')
    expect(textOf(chat)).toBe(wordsOf(10))
    expect(agent.count('SendMessage')).toBe(1)
    expect(agent.runs).toBe(1)
  })
})

describe('the card of an agent', () => {
  it('leads to its interface, and is fetched again only when it has changed', async () => {
    const agent = await serveSdkAgent()
    const resolver = new AgentCardResolver()
    const card = await resolver.resolve(`${agent.origin}/`)
    expect(card).toMatchObject({ name: 'Rivers', capabilities: { streaming: true } })
    expect(await resolver.resolve(agent.origin)).toBe(card)
    expect(agent.calls.map(({ version }) => version)).toEqual(['1.0', '1.0'])
    expect(await A2AClient.fromAgentCard(card).sendMessage('message')).toMatchObject({
      message: { role: 'ROLE_AGENT' },
    })
    expect(agent.calls.at(-1)).toMatchObject({ method: 'SendMessage', version: '1.0' })
  })

  it('of A2A 0.3 leads to its interface where that binding is given, and says so where it is not', async () => {
    const agent = await serveOlderAgent()
    const card = await new AgentCardResolver().resolve(agent.origin)
    expect(() => A2AClient.fromAgentCard(card, { bindings: { 'HTTP+JSON': httpJsonTransport } })).toThrow(
      /no interface for JSONRPC or HTTP\+JSON\. Its card names: JSONRPC 0\.3\./,
    )
    const client = A2AClient.fromAgentCard(card, { bindings: { 'JSONRPC 0.3': jsonRpcV03Transport } })
    expect(await client.sendMessage('message')).toMatchObject({ message: { role: 'ROLE_AGENT' } })
    expect(agent.calls.at(-1)).toMatchObject({ method: 'message/send', version: '0.3' })
  })
})

describe('a stop of a task', () => {
  it.each([
    ['says nothing of it', 'ignore', 'cancelled', 1],
    ['ends its answer and works on', 'refuse', 'left', 0],
  ] as const)('reports only what it knows of a task whose agent %s', async (_, onCancel, result, returns) => {
    const agent = await serveSdkAgent({ onCancel, tickMs: 60 })
    const chat = chatOf(
      new A2AClient({ ...QUICK, transport: jsonRpcTransport({ ...QUICK, url: `${agent.origin}/rpc` }) }),
    )
    const sent = chat.sendMessage('stream 6')
    await expect.poll(() => answerOf(chat).status).toBe('streaming')
    expect(await chat.stop()).toBe(result)
    // A task that is known to have ended is one that nobody works on.
    expect(agent.returns).toBe(returns)
    await sent
    expect(answerOf(chat)).toMatchObject({ status: 'stopped', stop: result })
  })
})
