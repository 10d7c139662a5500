import { describe, expect, it } from 'vitest'
import { AgUiClient } from '../../../src/ag-ui.ts'
import { AiSdkClient } from '../../../src/ai-sdk.ts'
import {
  CapClient,
  createChat,
  textOf,
  type AgentClient,
  type Attachment,
  type ChatMessage,
} from '../../../src/index.ts'
import { chatMessages, createAgentHandler, event, type Agent } from '../../../src/server.ts'
import { promptsOf } from '../../../src/state/prompts.ts'
import { eventually } from '../../support/eventually.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

const CLIENTS = {
  CapClient: (fetch: Fetch) => new CapClient({ baseUrl: 'https://agent.test', fetch }),
  AgUiClient: (fetch: Fetch) => new AgUiClient({ url: 'https://agent.test/ag-ui', fetch }),
  AiSdkClient: (fetch: Fetch) => new AiSdkClient({ api: 'https://agent.test/chat', fetch }),
}

/** A chat of a client, with an agent behind the real handler. */
function open(clientOf: (fetch: Fetch) => AgentClient, agent: Agent) {
  const reported: unknown[] = []
  const handler = createAgentHandler({ agent, onError: (error) => reported.push(error) })
  const client = clientOf(async (url, init) => handler(new Request(url, init)))
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  const answer = (): ChatMessage => {
    const message = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
    if (message === undefined) throw new Error('There is no answer.')
    return message
  }
  return { chat, reported, answer }
}

it.each(['CapClient', 'AiSdkClient'] as const)(
  'an agent behind %s gets the metadata of a message, and of earlier ones',
  async (name) => {
    const { chat, answer } = open(CLIENTS[name], async function* (_request, run) {
      const [first] = await run.history()
      yield JSON.stringify([run.metadata ?? null, first?.metadata ?? null])
    })
    await chat.sendMessage({ text: 'Why?', metadata: { mood: 'calm' } })
    expect(textOf(answer())).toBe('[{"mood":"calm"},null]')
    await chat.sendMessage('And now?')
    expect(textOf(answer())).toBe('[null,{"mood":"calm"}]')
  },
)

const PICTURE: Attachment = { data: 'AAAA', mimeType: 'image/png', name: 'bend.png' }
const NOTES: Attachment = { data: btoa('Gauge 7: 2 m'), mimeType: 'text/plain', name: 'gauges.txt' }

describe.each(Object.entries(CLIENTS))('an agent behind %s', (_name, clientOf) => {
  it.each(['What is this?', ''])('gets the files of a message with the text "%s", and their names', async (text) => {
    const found: unknown[] = []
    const { chat, answer, reported } = open(clientOf, async function* (_request, run) {
      found.push(run.files, await chatMessages(run))
      yield 'A bend.'
    })
    await chat.sendMessage({ text, files: [PICTURE, NOTES] })
    expect([answer().status, reported]).toEqual(['complete', []])
    const [files, messages] = found
    expect(files).toEqual([PICTURE, NOTES])
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', data: 'AAAA', mediaType: 'image/png', filename: 'bend.png' },
          { type: 'text', text: expect.stringContaining('Gauge 7: 2 m') },
          ...(text === '' ? [] : [{ type: 'text', text }]),
        ],
      },
    ])
  })

  it.each([
    ['allow', 'complete'],
    ['reject', 'denied'],
  ])('shows a call as waiting while the user is asked, and then as they have answered: %s', async (kind, status) => {
    const { chat, answer } = open(clientOf, async function* (_request, run) {
      const id = run.uuid()
      const call = { name: 'send_mail', arguments: { to: 'ann' } }
      yield event('TOOL_CALL', { ...call, status: 'waiting' }, { id })
      const subject = { name: 'send_mail', input: { to: 'ann' }, toolCallId: id }
      const { type } = await run.ask({ kind: 'approval', message: 'Send it?', subject })
      if (type === 'allowed') yield event('TOOL_CALL', { ...call, result: 'sent' }, { id })
      else yield event('TOOL_CALL', { ...call, status: 'denied' }, { id })
      yield 'Done.'
    })
    const calls = () =>
      chat.getSnapshot().messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call'))
    void chat.sendMessage('Mail Ann')
    await eventually(() => expect(promptsOf(answer())[0]?.state).toBe('open'))
    expect(calls()).toMatchObject([{ name: 'send_mail', status: 'waiting' }])
    const [prompt] = promptsOf(answer())
    const optionId = prompt?.options?.find((option) => option.kind.startsWith(kind))?.id ?? ''
    void chat.answer(prompt?.id ?? '', { type: 'option', optionId, digest: prompt?.subject?.digest })
    await eventually(() => expect(JSON.stringify(chat.getSnapshot().messages)).toContain('Done.'))
    expect(calls()).toMatchObject([{ name: 'send_mail', status }])
  })
})
