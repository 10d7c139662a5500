import { describe, expect, it } from 'vitest'
import { createAgentHandler, event, fatal, type Agent, type AgentHandler } from '../../src/server.ts'
import { MAJORS, type Major } from './sdk.ts'
import { createUiChat, type UiChat, type UiMessage } from './ui-chat.ts'
import { eventually } from '../support/eventually.ts'

interface Opened {
  readonly chat: UiChat
  readonly handler: AgentHandler
  readonly posts: () => number
}

/** The real client of the AI SDK, with an agent of capstan behind it. */
async function open(major: Major, agent: Agent, sends?: 'approvals' | 'tools', path = 'chat'): Promise<Opened> {
  const handler = createAgentHandler({ agent, onError: () => {} })
  let posts = 0
  const chat = await createUiChat(major, {
    api: `https://agent.test/api/${path}`,
    fetch: async (url, init) => {
      posts += 1
      return handler(new Request(url, init))
    },
    sends,
  })
  return { chat, handler, posts: () => posts }
}

const last = (chat: UiChat): UiMessage => {
  const message = chat.messages.at(-1)
  if (message === undefined) throw new Error('There is no message.')
  return message
}
const textOf = (message: UiMessage): string => message.parts.map(({ text = '' }) => text).join('')

describe.each(MAJORS)('useChat of ai %s with an agent of capstan', (major) => {
  it('reads text, with or without the path of its own', async () => {
    for (const path of ['chat', 'assist']) {
      const { chat } = await open(
        major,
        async function* (_request, run) {
          yield `You said ${run.text}. `
          yield 'Rivers meander.'
        },
        undefined,
        path,
      )
      await chat.sendMessage({ text: 'Why?' })
      expect([chat.status, textOf(last(chat))]).toEqual(['ready', 'You said Why?. Rivers meander.'])
    }
  })

  it('reads reasoning, tools, sources, files and data', async () => {
    const { chat } = await open(major, async function* (_request, run) {
      const [thought, tool] = [run.uuid(), run.uuid()]
      yield event('THOUGHT_TRACE', { thought: 'Bends', status: 'IN_PROGRESS' }, { id: thought })
      yield event('THOUGHT_TRACE', { thought: 'Bends wander.', status: 'COMPLETE' }, { id: thought })
      yield event('TOOL_CALL', { name: 'search', arguments: { q: 'bends' } }, { id: tool })
      yield event('TOOL_CALL', { name: 'search', arguments: { q: 'bends' }, result: [6] }, { id: tool })
      yield 'They meander.'
      yield event('CITATION_BLOCK', {
        citations: [{ source_id: 's', uri: 'https://rivers.test/a', title: 'Bends', confidence: 1 }],
      })
      yield event('MEDIA_CAROUSEL', { items: [{ url: 'https://rivers.test/a.png', mime_type: 'image/png' }] })
      yield event('DATA_BLOCK', { data: [1] })
    })
    await chat.sendMessage({ text: 'Why?' })
    expect([chat.status, chat.error]).toEqual(['ready', undefined])
    expect(last(chat).parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Bends wander.' },
      { type: 'dynamic-tool', toolName: 'search', state: 'output-available', input: { q: 'bends' }, output: [6] },
      { type: 'text', text: 'They meander.' },
      { type: 'source-url', url: 'https://rivers.test/a', title: 'Bends' },
      { type: 'file', url: 'https://rivers.test/a.png', mediaType: 'image/png' },
      { type: 'data-data' },
    ])
  })

  it('gives the agent files and metadata of a message, also of one without text', async () => {
    const found: unknown[] = []
    const { chat } = await open(major, async function* (_request, run) {
      found.push({ text: run.text, files: run.files, metadata: run.metadata })
      yield `${(await run.history()).flatMap(({ files = [] }) => files).length} files before.`
    })
    const file = (url: string) => ({ type: 'file', mediaType: 'image/png', filename: 'bend.png', url })
    await chat.sendMessage({ files: [file('data:image/png;base64,AAAA'), file('https://files.test/b.png')] })
    await chat.sendMessage({ text: 'Why?', metadata: { mood: 'calm', state: 1, replaces: ['x'] } })
    const described = { mimeType: 'image/png', name: 'bend.png' }
    expect(found).toEqual([
      {
        text: '',
        files: [
          { data: 'AAAA', ...described },
          { id: 'https://files.test/b.png', ...described },
        ],
      },
      { text: 'Why?', files: [], metadata: { mood: 'calm' } },
    ])
    expect(textOf(last(chat))).toBe('2 files before.')
  })

  it('reads a call that was denied without a question as a failed one that says so', async () => {
    const { chat } = await open(major, async function* () {
      yield event('TOOL_CALL', { name: 'send_mail', arguments: { to: 'ann' }, status: 'denied' })
      yield 'Not sent.'
    })
    await chat.sendMessage({ text: 'Mail Ann' })
    const call = last(chat).parts.find(({ type }) => type === 'dynamic-tool')
    expect(call).toMatchObject({ state: 'output-error', errorText: 'It was not allowed.' })
    expect([chat.status, textOf(last(chat))]).toEqual(['ready', 'Not sent.'])
  })

  it('keeps the shared state as one part of the message, and the agent finds it in the next run', async () => {
    const found: unknown[] = []
    const { chat } = await open(major, async function* (_request, run) {
      found.push(run.state.value)
      await run.state.set({ steps: ['cut'], by: run.text })
      yield 'So.'
      await run.state.set({ steps: ['cut', 'boil'], by: run.text })
    })
    await chat.sendMessage({ text: 'one' })
    expect(last(chat).parts.filter(({ type }) => type === 'data-state')).toMatchObject([
      { id: 'state', data: { steps: ['cut', 'boil'], by: 'one' } },
    ])
    await chat.sendMessage({ text: 'two' })
    expect(found).toEqual([undefined, { steps: ['cut', 'boil'], by: 'one' }])
    expect([chat.status, chat.error, textOf(last(chat))]).toEqual(['ready', undefined, 'So.'])
  })

  it('gives the agent the history of the page, also after an edit and an answer made again', async () => {
    const { chat } = await open(major, async function* (_request, run) {
      yield (await run.history()).map(({ text }) => text).join('|') + `>${run.text}`
    })
    await chat.sendMessage({ text: 'one' })
    await chat.sendMessage({ text: 'two' })
    expect(textOf(last(chat))).toBe('one|>one>two')
    await chat.regenerate()
    expect(textOf(last(chat))).toBe('one|>one>two')
    await chat.sendMessage({ text: 'deux', messageId: chat.messages[2]?.id ?? '' })
    expect(textOf(last(chat))).toBe('one|>one>deux')
    await chat.sendMessage({ text: 'un', messageId: chat.messages[0]?.id ?? '' })
    expect(textOf(last(chat))).toBe('>un')
  })

  it('is told about a failure, with the text that came and no details', async () => {
    for (const agent of [
      async function* () {
        yield 'Half '
        throw new Error('sk-canary')
      },
      async function* () {
        yield 'Half '
        yield fatal('model_failed', 'The model failed.')
      },
    ] satisfies Agent[]) {
      const { chat } = await open(major, agent)
      await chat.sendMessage({ text: 'Why?' })
      expect([chat.status, textOf(last(chat))]).toEqual(['error', 'Half '])
      expect(chat.error?.message).not.toContain('canary')
    }
  })

  it('is told that a run was cancelled at the server', async () => {
    const { chat, handler } = await open(major, async function* (_request, run) {
      yield 'Half '
      await run.sleep(1e9)
    })
    const sent = chat.sendMessage({ text: 'Why?' })
    await eventually(() => expect(textOf(last(chat))).toBe('Half '))
    const { id } = last(chat)
    const cancelled = await handler(
      new Request(`https://agent.test/api/runs/${id}/cancel`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    )
    expect(cancelled.status).toBe(200)
    await sent
    expect([chat.status, textOf(last(chat))]).toEqual(['ready', 'Half '])
  })

  it('carries an answer to a choice as the output of a tool, into the same run', async () => {
    let runs = 0
    const { chat, posts } = await open(
      major,
      async function* (_request, run) {
        runs += 1
        const answer = await run.ask({
          kind: 'choice',
          message: 'Which?',
          options: [{ id: 'elbe', label: 'Elbe', kind: 'neutral' }],
        })
        yield answer.type === 'chosen' ? `It is ${answer.option.label}.` : 'None.'
      },
      'tools',
    )
    await chat.sendMessage({ text: 'A river' })
    const call = last(chat).parts.find(({ toolCallId }) => toolCallId !== undefined)
    expect(call).toMatchObject({ state: 'input-available', input: { message: 'Which?' } })
    const output = { tool: 'ask_choice', toolCallId: call?.toolCallId ?? '', output: 'elbe' }
    await (chat.addToolOutput?.(output) ?? chat.addToolResult?.(output))
    await eventually(() => expect(textOf(last(chat))).toBe('It is Elbe.'))
    expect([runs, posts(), chat.messages.length]).toEqual([1, 2, 2])
  })
})

describe.each([6, 7] as const)('useChat of ai %s and a tool that needs approval', (major) => {
  it.each([
    [true, ['sent'], 'Sent.', 'output-available'],
    [false, [], 'Not sent.', 'output-denied'],
  ] as const)('asks, and continues with the same run: approved %s', async (approved, done, said, state) => {
    const mails: string[] = []
    const { chat } = await open(
      major,
      async function* (_request, run) {
        const id = run.uuid()
        yield 'One moment.'
        yield event('TOOL_CALL', { name: 'send_mail', arguments: { to: 'ann' }, status: 'waiting' }, { id })
        const subject = { name: 'send_mail', input: { to: 'ann' }, toolCallId: id }
        const answer = await run.ask({ kind: 'approval', message: 'Send it?', subject })
        if (answer.type === 'allowed') {
          mails.push('sent')
          yield event('TOOL_CALL', { name: 'send_mail', arguments: { to: 'ann' }, result: 'ok' }, { id })
        } else yield event('TOOL_CALL', { name: 'send_mail', error: 'No.', status: 'denied' }, { id })
        yield answer.type === 'allowed' ? 'Sent.' : 'Not sent.'
      },
      'approvals',
    )
    await chat.sendMessage({ text: 'Mail Ann' })
    const asked = last(chat).parts.find((part) => part.state === 'approval-requested')
    expect([asked?.['input'], mails]).toEqual([{ to: 'ann' }, []])
    await chat.addToolApprovalResponse?.({ id: asked?.approval?.id ?? '', approved })
    await eventually(() => expect(textOf(last(chat))).toBe(`One moment.${said}`))
    expect([chat.status, mails, chat.messages.length]).toEqual(['ready', done, 2])
    expect(last(chat).parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({ state })
  })
})
