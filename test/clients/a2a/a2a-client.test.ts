import { afterEach, describe, expect, it } from 'vitest'
import type { A2AHttpClientOptions } from '../../../src/clients/a2a/a2a-client-options.ts'
import { A2AClient } from '../../../src/clients/a2a/a2a-client.ts'
import { AgentCardResolver } from '../../../src/clients/a2a/agent-card-resolver.ts'
import { backoff } from '../../../src/base/backoff.ts'
import type { StreamResponse } from '../../../src/protocols/a2a/schema/task.ts'
import type { ChatInstance } from '../../../src/state/chat.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { SdkAgent } from '../../support/a2a-sdk-agent.ts'
import { serveSdkAgent, wordsOf } from '../../support/a2a-sdk-agent.ts'

/** Waits of milliseconds, so that a reconnect does not take seconds. */
const QUICK: A2AHttpClientOptions = {
  retry: { ...backoff({ maxAttempts: 5 }), delayMs: () => 5 },
  pollMs: 20,
}

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

function chatWith(agent: SdkAgent, options: A2AHttpClientOptions = {}): ChatInstance {
  const client = A2AClient.fromUrl(agent.url, { ...QUICK, ...options })
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  chats.push(chat)
  return chat
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

describe('a chat with the server of the official SDK', () => {
  it('shows the text of the artifact and ends with the task', async () => {
    const agent = await serveSdkAgent()
    const chat = chatWith(agent)
    await chat.sendMessage('stream 20')
    expect(textOf(chat)).toBe(wordsOf(20))
    expect(answerOf(chat)).toMatchObject({ status: 'complete' })
    expect(chat.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, warnings: [] })
    expect(agent.calls.map(({ method }) => method)).toEqual(['SendStreamingMessage'])
  })

  it('goes on in the context of the answer before', async () => {
    const agent = await serveSdkAgent()
    const chat = chatWith(agent)
    await chat.sendMessage('stream 1')
    await chat.sendMessage('stream 2')
    const client = A2AClient.fromUrl(agent.url)
    const { tasks } = await client.listTasks()
    expect(tasks).toHaveLength(2)
    expect(new Set(tasks.map(({ contextId }) => contextId)).size).toBe(1)
    expect(textOf(chat)).toBe(wordsOf(2))
  })

  it('asks back, and the answer goes to the same task', async () => {
    const agent = await serveSdkAgent()
    const chat = chatWith(agent)
    await chat.sendMessage('ask')
    const prompt = answerOf(chat).parts.find(({ type }) => type === 'prompt')
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    expect(prompt).toMatchObject({ prompt: { kind: 'form', message: 'Which river?', answeredBy: 'next-run' } })
    await chat.answer(prompt?.id ?? '', { type: 'value', value: { reply: 'the Loire' } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(textOf(chat)).toBe('You said the Loire.')
    expect((await A2AClient.fromUrl(agent.url).listTasks()).tasks).toHaveLength(1)
    expect(agent.count('SendStreamingMessage')).toBe(2)
  })

  it('asks to sign in inside of the run, and goes on by itself', async () => {
    const agent = await serveSdkAgent()
    const chat = chatWith(agent)
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
    const chat = chatWith(await serveSdkAgent())
    await chat.sendMessage(word)
    expect(chat.getSnapshot().error).toMatchObject({ agentCode, message: 'No map of this river.', severity: 'FATAL' })
    expect(answerOf(chat).status).toBe('failed')
  })

  it('shows an answer without a task', async () => {
    const chat = chatWith(await serveSdkAgent())
    await chat.sendMessage('message')
    expect(textOf(chat)).toBe('Hello there.')
    expect(answerOf(chat).status).toBe('complete')
  })

  it('shows files, addresses and data as artifacts of their own', async () => {
    const chat = chatWith(await serveSdkAgent())
    await chat.sendMessage('files')
    expect(textOf(chat)).toBe('See the files.')
    expect(answerOf(chat).parts.filter(({ type }) => type === 'artifact')).toMatchObject([
      { artifactId: 'raw', name: 'hello.txt', bytes: 'SGVsbG8=', mimeType: 'text/plain', state: 'complete' },
      { artifactId: 'url', url: 'https://files.example/a.pdf', state: 'complete' },
      { artifactId: 'data', data: { depth: [1, 2] }, state: 'complete' },
    ])
  })

  it('keeps interleaved artifacts whole, each in its own part', async () => {
    const chat = chatWith(await serveSdkAgent())
    await chat.sendMessage('multi 12')
    expect(textOf(chat)).toBe(wordsOf(12))
    expect(answerOf(chat).parts.filter(({ type }) => type === 'artifact')).toMatchObject([
      { artifactId: 'two', text: wordsOf(12).replaceAll('[', '(').replaceAll(']', ')'), state: 'complete' },
    ])
  })

  it('shows what replaced an artifact after its last chunk', async () => {
    const chat = chatWith(await serveSdkAgent())
    await chat.sendMessage('replace')
    expect(textOf(chat)).toBe('Final')
  })

  it('takes an artifact of 5 MiB', async () => {
    const chat = chatWith(await serveSdkAgent())
    await chat.sendMessage(`big ${5 * 1024 * 1024}`)
    expect(textOf(chat)).toHaveLength(5 * 1024 * 1024)
  })

  it('sends files as bytes and as addresses', async () => {
    const agent = await serveSdkAgent()
    const chat = chatWith(agent)
    await chat.sendMessage({
      text: 'stream 1',
      files: [{ data: 'SGVsbG8=', name: 'a.txt', mimeType: 'text/plain' }, 'https://files.example/b.png'],
    })
    const { tasks } = await A2AClient.fromUrl(agent.url).listTasks({ historyLength: 10 })
    expect(tasks[0]?.history?.[0]?.parts).toMatchObject([
      { text: 'stream 1' },
      { raw: 'SGVsbG8=', filename: 'a.txt', mediaType: 'text/plain' },
      { url: 'https://files.example/b.png' },
    ])
  })

  it('cancels the task when it is stopped', async () => {
    const agent = await serveSdkAgent()
    const chat = chatWith(agent)
    const sent = chat.sendMessage('slow')
    await expect.poll(() => answerOf(chat).status).toBe('streaming')
    expect(await chat.stop()).toBe('cancelled')
    await sent
    expect(agent.count('CancelTask')).toBe(1)
    const { tasks } = await A2AClient.fromUrl(agent.url).listTasks()
    expect(tasks[0]?.status.state).toBe('TASK_STATE_CANCELED')
  })

  it('polls an agent that does not stream', async () => {
    const agent = await serveSdkAgent({ streaming: false })
    const chat = chatWith(agent)
    await chat.sendMessage('stream 10')
    expect(textOf(chat)).toBe(wordsOf(10))
    expect(agent.count('SendMessage')).toBe(1)
    expect(agent.runs).toBe(1)
  })
})

describe('the methods of the client', () => {
  it('reach the server one by one', async () => {
    const agent = await serveSdkAgent()
    const client = A2AClient.fromUrl(agent.url)
    const { task } = await client.sendMessage('stream 3')
    const id = task?.id ?? ''
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
    expect(await client.getTask(id, { historyLength: 5 })).toMatchObject({ id, history: [{ role: 'ROLE_USER' }, {}] })
    expect((await client.listTasks({ pageSize: 5 })).tasks).toMatchObject([{ id }])
    expect(await client.getExtendedAgentCard()).toMatchObject({ name: 'Rivers' })
    const config = { taskId: id, id: 'p1', url: 'https://hooks.example/a' }
    expect(await client.createPushNotificationConfig(config)).toMatchObject(config)
    expect(await client.getPushNotificationConfig(id, 'p1')).toMatchObject(config)
    expect(await client.listPushNotificationConfigs(id)).toMatchObject([config])
    await client.deletePushNotificationConfig(id, 'p1')
    expect(await client.listPushNotificationConfigs(id)).toEqual([])
  })

  it('stream the events of a task as they came', async () => {
    const client = A2AClient.fromUrl((await serveSdkAgent()).url)
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

  it('follow a task that is under way, and one that has ended', async () => {
    const agent = await serveSdkAgent({ tickMs: 10 })
    const client = A2AClient.fromUrl(agent.url, QUICK)
    const { task } = await client.sendMessage('stream 20', { configuration: { returnImmediately: true } })
    const followed = await all(client.resubscribe(task?.id ?? ''))
    expect(followed.at(-1)?.task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'reply' }],
    })
    const again = await all(client.resubscribe(task?.id ?? ''))
    expect(again.map((response) => response.task?.status.state)).toEqual(['TASK_STATE_COMPLETED'])
  })

  it('throw what the agent says, with its code', async () => {
    const client = A2AClient.fromUrl((await serveSdkAgent()).url)
    await expect(client.getTask('none')).rejects.toMatchObject({
      name: 'A2AError',
      agentCode: '-32001',
      code: 'not_found',
    })
    const { task } = await client.sendMessage('stream 1')
    await expect(client.cancelTask(task?.id ?? '')).rejects.toMatchObject({ agentCode: '-32002' })
  })
})

describe('the card of an agent', () => {
  it('leads to its interface, and is fetched again only when it has changed', async () => {
    const agent = await serveSdkAgent()
    const resolver = new AgentCardResolver()
    const card = await resolver.resolve(`${agent.origin}/`)
    expect(card).toMatchObject({ name: 'Rivers', capabilities: { streaming: true } })
    expect(await resolver.resolve(agent.origin)).toBe(card)
    expect(await A2AClient.fromAgentCard(card).sendMessage('message')).toMatchObject({
      message: { role: 'ROLE_AGENT' },
    })
  })
})
