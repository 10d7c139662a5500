import { describe, expect, it } from 'vitest'
import { CapClient, createChat } from '../../src/index.ts'
import { createAgentHandler, memoryConversationStore } from '../../src/server.ts'
import { gemini, messages, responses, streamed, type ChatWire, type Said } from './rows/chat-wires.ts'
import { FROM_AI_SDK } from './rows/from-ai-sdk-rows.ts'
import { FROM_LANG_GRAPH } from './rows/from-lang-graph-rows.ts'
import type { ModelHelper } from './rows/model-row.ts'
import { entriesOf } from './rows/request-entries.ts'
import { createRowTools } from './rows/row-tools.ts'
import { serveVendor, type VendorAnswer, type VendorServer } from './vendor-server.ts'

interface Pages {
  /** A new process with the same store answers the message. */
  say(text: string): Promise<string>
  /** What a page reads of the conversation. */
  read(): Promise<string>
  readonly server: VendorServer
}

async function open(helper: ModelHelper, setup: object, answers: readonly VendorAnswer[]): Promise<Pages> {
  const server = await serveVendor((ordinal) => answers[ordinal] ?? { status: 500, body: {} })
  const conversationId = crypto.randomUUID()
  const conversations = memoryConversationStore()
  const start = () =>
    createAgentHandler({
      conversations,
      authorize: () => 'ann',
      onError: () => {},
      agent: async function* (_request, run) {
        yield* await helper.answer(run, server.origin, createRowTools(['send_email']).tools, { setup })
      },
    })
  let handler = start()
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const chat = createChat({ client: () => client, conversationId })
  return {
    server,
    async say(text) {
      handler = start()
      await chat.sendMessage(text)
      return chat.getSnapshot().messages.at(-1)?.status ?? ''
    },
    read: async () => (await handler(new Request(`https://agent.test/conversations/${conversationId}`))).text(),
  }
}

const SAID: Said = {
  thought: 'Mail is best.',
  signature: 'sealed-1',
  calls: [{ id: 'call-1', name: 'send_email', input: { to: 'ann' } }],
}
const CALL = 'call send_email {"to":"ann"}'
const RESULT = 'result {"ok":true}'
const AFTER = ['text Rivers meander.', 'user And now?']

interface Sent {
  readonly wire: ChatWire
  readonly entries: readonly string[]
}

const HELPERS: readonly (readonly [ModelHelper, object, readonly Sent[]])[] = [
  [
    FROM_AI_SDK,
    {},
    [
      { wire: messages, entries: ['thinking Mail is best. sealed-1', CALL, RESULT] },
      { wire: responses, entries: ['reasoning sealed-1', CALL, RESULT] },
      { wire: gemini, entries: ['thinking Mail is best.', `${CALL} sealed-1`, RESULT] },
    ],
  ],
  [
    FROM_LANG_GRAPH,
    { how: 'invoke', graph: 'tools' },
    [
      { wire: messages, entries: ['thinking Mail is best. sealed-1', CALL, RESULT] },
      { wire: responses, entries: ['reasoning sealed-1', CALL, RESULT] },
      { wire: gemini, entries: ['thinking Mail is best.', `${CALL} sealed-1`, RESULT] },
    ],
  ],
]

describe.each(HELPERS)('$name, in the next request of a conversation', (helper, setup, sent) => {
  it.each(sent)('sends what the model seals back unchanged: $wire.name', async ({ wire, entries }) => {
    const answers = [streamed(wire, SAID), streamed(wire), streamed(wire, { text: ['Again.'] })]
    const { say, read, server } = await open(helper, { ...setup, wire: wire.name }, answers)
    expect([await say('Mail Ann'), await say('And now?')]).toEqual(['complete', 'complete'])
    expect(entriesOf(server.bodies[2] ?? {})).toEqual(['user Mail Ann', ...entries, ...AFTER])
    expect(await read()).not.toContain('sealed-1')
  })

  it('makes an answer again from its parts where nothing is sealed', async () => {
    const answers = [
      streamed(responses, { ...SAID, signature: '' }),
      streamed(responses),
      streamed(responses, { text: ['Again.'] }),
    ]
    const { say, server } = await open(helper, { ...setup, wire: 'responses' }, answers)
    expect([await say('Mail Ann'), await say('And now?')]).toEqual(['complete', 'complete'])
    expect(entriesOf(server.bodies[2] ?? {})).toEqual(['user Mail Ann', CALL, RESULT, ...AFTER])
    // No item is only a name for what the vendor stores for a time.
    expect(JSON.stringify(server.bodies[2])).not.toMatch(/rs-1|item_reference/)
  })
})
