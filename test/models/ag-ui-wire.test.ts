import { describe, expect, it } from 'vitest'
import { createAgentHandler, event, fatal, toNodeListener, type Agent, type AgentHandler } from '../../src/server.ts'
import { serve } from '../server/peer.ts'
import { eventually } from '../support/eventually.ts'

/** What is read of a message of AG-UI. */
interface AgUiMessage {
  readonly id: string
  readonly role: string
  readonly content?: unknown
  readonly toolCalls?: readonly { readonly id: string; readonly function: { readonly name: string } }[]
}

/** The official client. */
interface HttpAgentClient {
  readonly messages: readonly AgUiMessage[]
  state: unknown
  readonly pendingInterrupts: readonly {
    readonly id: string
    readonly message?: string
    readonly toolCallId?: string
  }[]
  addMessage(message: object): void
  runAgent(input?: object, subscriber?: object): Promise<unknown>
}

/** What `useChat` of TanStack AI is made of. */
interface TanStackClient {
  sendMessage(text: string): Promise<void>
  getMessages(): readonly { readonly role: string; readonly parts: readonly { readonly content?: string }[] }[]
  getStatus?(): string
}

interface Clients {
  readonly HttpAgent: new (options: object) => HttpAgentClient
  readonly ChatClient: new (options: object) => TanStackClient
  fetchServerSentEvents(url: string, options?: object): object
}

// Their types are there only where the packages of test/models are installed.
const { HttpAgent } = (await import(/* @vite-ignore */ ['@ag-ui', 'client'].join('/'))) as Clients
const { ChatClient, fetchServerSentEvents } = (await import(
  /* @vite-ignore */ ['@tanstack', 'ai-client'].join('/')
)) as Clients

interface Opened {
  readonly handler: AgentHandler
  readonly url: string
  readonly agent: HttpAgentClient
  say(text: string, input?: object): Promise<readonly string[]>
}

/** An agent of capstan over HTTP on loopback, and the official client in front of it. */
async function open(agentOf: Agent): Promise<Opened> {
  const handler = createAgentHandler({ agent: agentOf, onError: () => {} })
  const url = `${await serve(toNodeListener(handler))}/ag-ui`
  const agent = new HttpAgent({ url, threadId: crypto.randomUUID() })
  return {
    handler,
    url,
    agent,
    /** Says something, and gives what `onRunErrorEvent` was told. */
    async say(text, input = {}) {
      const errors: string[] = []
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
      const onRunErrorEvent = ({ event: { message } }: { event: { message: string } }): void =>
        void errors.push(message)
      await agent.runAgent(input, { onRunErrorEvent })
      return errors
    },
  }
}

const answers = (agent: HttpAgentClient): unknown[] =>
  agent.messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content ?? [])

const SOUP = { title: 'Soup', note: 'long enough that a patch is shorter', steps: [] as readonly string[] }

describe("AG-UI's HttpAgent with an agent of capstan", () => {
  it('reads text, reasoning and tools', async () => {
    const { agent, say } = await open(async function* (_request, run) {
      const [thought, tool] = [run.uuid(), run.uuid()]
      yield event('THOUGHT_TRACE', { thought: 'Bends', status: 'IN_PROGRESS' }, { id: thought })
      yield event('THOUGHT_TRACE', { thought: 'Bends wander.', status: 'COMPLETE' }, { id: thought })
      yield event('TOOL_CALL', { name: 'search', arguments: { q: 'bends' } }, { id: tool })
      yield event('TOOL_CALL', { name: 'search', arguments: { q: 'bends' }, result: [6] }, { id: tool })
      yield `You said ${run.text}. `
      yield 'Rivers meander.'
      yield event('DATA_BLOCK', { data: [1] })
    })
    expect(await say('Why?')).toEqual([])
    expect(
      agent.messages.map(({ role, content, toolCalls }) => [role, content ?? toolCalls?.[0]?.function.name]),
    ).toEqual([
      ['user', 'Why?'],
      ['reasoning', 'Bends wander.'],
      ['assistant', 'search'],
      ['tool', '[6]'],
      ['assistant', 'You said Why?. Rivers meander.'],
    ])
  })

  it('shares a state: whole first, then as patches, and what the client has changed goes back', async () => {
    const found: unknown[] = []
    const { agent, say } = await open(async function* (_request, run) {
      found.push(run.state.value)
      // What the client has sent is what it was told before.
      const before = (run.state.value ?? SOUP) as typeof SOUP
      await run.state.set(before)
      for (const [at] of run.text.split(' ').entries())
        await run.state.set({ ...before, steps: [...before.steps, ...run.text.split(' ').slice(0, at + 1)] })
      yield 'Done.'
    })
    const told: string[] = []
    await say('cut boil')
    expect(agent.state).toMatchObject({ title: 'Soup', steps: ['cut', 'boil'] })
    agent.state = { ...SOUP, steps: ['cut', 'boil'], title: 'Stew' }
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: 'eat' })
    await agent.runAgent(
      {},
      {
        onStateSnapshotEvent: () => void told.push('snapshot'),
        onStateDeltaEvent: () => void told.push('delta'),
      },
    )
    expect(told).toEqual(['snapshot', 'delta'])
    expect(agent.state).toMatchObject({ title: 'Stew', steps: ['cut', 'boil', 'eat'] })
    // Without a state, the client sends an empty object.
    expect(found).toMatchObject([undefined, { title: 'Stew', steps: ['cut', 'boil'] }])
    expect(found[0]).toBeUndefined()
  })

  it('gives the agent files and metadata of a message, also of one without text', async () => {
    const found: unknown[] = []
    const { agent } = await open(async function* (_request, run) {
      found.push({ text: run.text, files: run.files, metadata: run.metadata })
      yield `${(await run.history()).flatMap(({ files = [] }) => files).length} files before.`
    })
    const ask = async (content: unknown, metadata?: object): Promise<void> => {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content, ...(metadata && { metadata }) })
      await agent.runAgent()
    }
    const metadata = { filename: 'bend.png' }
    await ask([
      { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' }, metadata },
      { type: 'document', source: { type: 'url', value: 'https://files.test/a.pdf', mimeType: 'application/pdf' } },
      { type: 'document', source: { type: 'file', value: 'file-1' } },
    ])
    await ask('Why?', { mood: 'calm', state: 1 })
    expect(found).toEqual([
      {
        text: '',
        files: [
          { data: 'AAAA', mimeType: 'image/png', name: 'bend.png' },
          { id: 'https://files.test/a.pdf', mimeType: 'application/pdf' },
          { id: 'file-1' },
        ],
      },
      { text: 'Why?', files: [], metadata: { mood: 'calm' } },
    ])
    expect(answers(agent).at(-1)).toBe('3 files before.')
  })

  it('reads a call that was denied as one with a result that says so', async () => {
    const { agent, say } = await open(async function* () {
      yield event('TOOL_CALL', { name: 'send_mail', arguments: { to: 'ann' }, status: 'denied' })
      yield 'Not sent.'
    })
    expect(await say('Mail Ann')).toEqual([])
    const result = agent.messages.find(({ role }) => role === 'tool')
    expect(result?.content).toBe('{"error":"It was not allowed."}')
  })

  it('takes the binary parts of older clients for files', async () => {
    const found: unknown[] = []
    const { url } = await open(async function* (_request, run) {
      found.push(...run.files)
      yield 'So.'
    })
    const content = [
      { type: 'binary', mimeType: 'image/png', data: 'AAAA', filename: 'bend.png' },
      { type: 'binary', mimeType: 'image/png', url: 'https://files.test/b.png' },
      { type: 'binary', mimeType: 'image/png', id: 'file-1' },
    ]
    const body = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content }], tools: [], context: [] }
    const headers = { 'content-type': 'application/json' }
    expect(await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text()).toContain('So.')
    expect(found).toEqual([
      { data: 'AAAA', mimeType: 'image/png', name: 'bend.png' },
      { id: 'https://files.test/b.png', mimeType: 'image/png' },
      { id: 'file-1', mimeType: 'image/png' },
    ])
  })

  it('gives the agent the history of the server', async () => {
    const { agent, say } = await open(async function* (_request, run) {
      yield (await run.history()).map(({ text }) => text).join('|') + `>${run.text}`
    })
    await say('one')
    await say('two')
    expect(answers(agent)).toEqual(['>one', 'one|>one>two'])
  })

  it.each([
    [true, ['sent'], 'Sent.'],
    [false, [], 'Not sent.'],
  ] as const)('is interrupted by a question, and resumes the same run: approved %s', async (approved, done, said) => {
    const mails: string[] = []
    let runs = 0
    const { agent, say } = await open(async function* (_request, run) {
      runs += 1
      yield 'One moment.'
      const answer = await run.ask({
        kind: 'approval',
        message: 'Send it?',
        subject: { name: 'send_mail', input: { to: 'ann' } },
      })
      if (answer.type === 'allowed') mails.push('sent')
      yield answer.type === 'allowed' ? 'Sent.' : 'Not sent.'
    })
    await say('Mail Ann')
    expect(agent.pendingInterrupts).toMatchObject([{ message: 'Send it?' }])
    expect(mails).toEqual([])
    const resume = agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved },
    }))
    await agent.runAgent({ resume })
    expect([answers(agent).at(-1), mails, runs]).toEqual([said, done, 1])
    // The same answer, sent again, does nothing twice.
    await agent.runAgent({ resume })
    expect([mails, runs]).toEqual([done, 1])
  })

  it('is told about a failure without details, and of a cancelled run', async () => {
    const failing = await open(async function* () {
      yield 'Half '
      throw new Error('sk-canary')
    })
    const [told] = await failing.say('Why?')
    expect(told).toContain('The agent failed')
    expect(answers(failing.agent)).toEqual(['Half '])
    const limited = await open(async function* () {
      yield fatal('model_failed', 'The model failed.')
    })
    expect(await limited.say('Why?')).toEqual(['The model failed.'])
    const runId = crypto.randomUUID()
    const hanging = await open(async function* (_request, run) {
      yield 'Half '
      await run.sleep(1e9)
    })
    const ended = hanging.say('Why?', { runId })
    await eventually(async () => {
      const url = hanging.url.replace('/ag-ui', `/runs/${runId}/cancel`)
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
      expect(response.status).toBe(200)
    })
    expect(await ended).toEqual([])
  })

  it('runs an agent once for a request that is sent twice, and says only what follows Last-Event-ID', async () => {
    let runs = 0
    const { url } = await open(async function* () {
      runs += 1
      yield 'Rivers '
      yield 'meander.'
    })
    const body = JSON.stringify({
      threadId: 't',
      runId: 'r',
      messages: [{ id: 'u', role: 'user', content: 'Why?' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    })
    const post = async (headers: Record<string, string> = {}): Promise<string> => {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
      return (await fetch(url, init)).text()
    }
    const whole = await post()
    const frames = whole.split('\n\n').filter((frame) => frame.includes('data: '))
    const idOf = (frame = ''): string => /id: (.*)/.exec(frame)?.[1] ?? ''
    const rest = await post({ 'last-event-id': idOf(frames[2]) })
    expect(rest.split('\n\n').filter((frame) => frame.includes('data: '))).toEqual(frames.slice(3))
    expect([await post(), runs]).toEqual([whole, 1])
  })

  it('refuses an answer to a question that was never asked', async () => {
    const { url } = await open(async function* () {
      yield 'Rivers.'
    })
    const interruptId = `${crypto.randomUUID()}.${crypto.randomUUID()}`
    const body = {
      threadId: 't',
      runId: 'r',
      messages: [],
      resume: [{ interruptId, status: 'resolved', payload: { approved: true } }],
    }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(404)
  })
})

describe("TanStack AI's client with an agent of capstan", () => {
  it('reads text and reasoning, and is told about a failure', async () => {
    const { url } = await open(async function* (_request, run) {
      yield event('THOUGHT_TRACE', { thought: 'Bends wander.' })
      yield `You said ${run.text}.`
      if (run.text === 'fail') throw new Error('sk-canary')
    })
    const errors: string[] = []
    const client = new ChatClient({
      connection: fetchServerSentEvents(url),
      threadId: crypto.randomUUID(),
      onError: ({ message }: Error) => void errors.push(message),
    })
    const said = () =>
      client
        .getMessages()
        .at(-1)
        ?.parts.map(({ content }) => content)
    await client.sendMessage('Why?')
    await eventually(() => expect(said()).toContain('You said Why?.'))
    expect(errors).toEqual([])
    await client.sendMessage('fail').catch(() => {})
    await eventually(() => expect(errors.join()).toContain('The agent failed'))
  })
})
