import { afterAll, describe, expect, it } from 'vitest'
import { CapClient, createChat } from '../../src/index.ts'
import {
  CONVERSATION_TABLES,
  createAgentHandler,
  memoryConversationStore,
  sqlConversationStore,
  type ConversationStore,
  type SqlQuery,
  type SqlRow,
} from '../../src/server.ts'
import { openWasm } from '../server/event-log/sqlite/open-sqlite.ts'
import * as anthropic from './rows/anthropic-wire.ts'
import { FROM_ANTHROPIC } from './rows/from-anthropic-rows.ts'
import { FROM_OPENAI } from './rows/from-openai-rows.ts'
import type { ModelHelper } from './rows/model-row.ts'
import * as openai from './rows/openai-wire.ts'
import { createRowTools } from './rows/row-tools.ts'
import { serveVendor, type VendorAnswer, type VendorServer } from './vendor-server.ts'

type Answer = Awaited<ReturnType<ModelHelper['answer']>>
type Wrap = (answer: Answer) => Answer

interface Pages {
  /** A new process with the same store answers the next message. */
  say(text: string, wrap?: Wrap): Promise<string>
  /** The user replaces the first message. */
  edit(text: string): Promise<string>
  /** What a page reads of the conversation. */
  read(): Promise<string>
  readonly server: VendorServer
}

async function open(helper: ModelHelper, answers: readonly VendorAnswer[], store: ConversationStore): Promise<Pages> {
  const server = await serveVendor((ordinal) => answers[ordinal] ?? { status: 500, body: {} })
  const conversationId = crypto.randomUUID()
  let wrapped: Wrap = (answer) => answer
  const start = () =>
    createAgentHandler({
      conversations: store,
      authorize: () => 'ann',
      onError: () => {},
      agent: async function* (_request, run) {
        yield* wrapped(await helper.answer(run, server.origin, createRowTools().tools, {}))
      },
    })
  let handler = start()
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const chat = createChat({ client: () => client, conversationId })
  const last = (): string => chat.getSnapshot().messages.at(-1)?.status ?? ''
  return {
    server,
    async say(text, wrap = (answer) => answer) {
      wrapped = wrap
      handler = start()
      await chat.sendMessage(text)
      return last()
    },
    async edit(text) {
      const [first] = chat.getSnapshot().messages
      await chat.edit(first?.id ?? '', text)
      return last()
    },
    async read() {
      return (await handler(new Request(`https://agent.test/conversations/${conversationId}`))).text()
    },
  }
}

const ITEMS = [
  openai.reasoning('Mail is best.', 'sealed-1'),
  openai.functionCall('call-1', 'send_email', { to: 'ann' }),
] as const
const LAST_ITEMS = [{ ...openai.reasoning('', 'sealed-2'), id: 'rs-2' }, openai.message('Done.')] as const
const BLOCKS = [
  anthropic.thinking('Mail is best.', 'signed-1'),
  { type: 'redacted_thinking', data: 'sealed-1' },
  anthropic.toolUse('call-1', 'send_email', { to: 'ann' }),
] as const
const LAST_BLOCKS = [anthropic.thinking('It is sent.', 'signed-2'), anthropic.text('Done.')] as const

const VENDORS = [
  {
    helper: FROM_OPENAI,
    first: [openai.whole(...ITEMS), openai.whole(...LAST_ITEMS)],
    next: openai.whole(openai.message('Again.')),
    remembered: [...ITEMS, { type: 'function_call_output', call_id: 'call-1', output: '{"ok":true}' }, ...LAST_ITEMS],
    member: 'input',
    secret: 'sealed-1',
  },
  {
    helper: FROM_ANTHROPIC,
    first: [anthropic.whole(...BLOCKS), anthropic.whole(...LAST_BLOCKS)],
    next: anthropic.whole(anthropic.text('Again.')),
    remembered: [
      { role: 'assistant', content: BLOCKS },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: '{"ok":true}' }] },
      { role: 'assistant', content: LAST_BLOCKS },
    ],
    member: 'messages',
    secret: 'signed-1',
  },
] as const

const database = openWasm(':memory:')
const query: SqlQuery = async (text, values) =>
  // Rows are objects by the names of their columns; the driver reads null as every other value.
  database.prepare(text).all(...(values as readonly (string | number)[])) as SqlRow[]
database.exec(CONVERSATION_TABLES)
afterAll(() => database.close())

describe.each(VENDORS.map((vendor) => [vendor.helper.name, vendor] as const))(
  '%s, in the next request of a conversation',
  (_, vendor) => {
    const { helper, first, next, remembered, member, secret } = vendor
    const stores: readonly (readonly [string, () => ConversationStore])[] = [
      ['memory', () => memoryConversationStore()],
      ['SQLite', () => sqlConversationStore({ query, placeholder: () => '?' })],
    ]

    it.each(stores)('sends reasoning back unchanged that was kept in %s', async (_store, store) => {
      const { say, server } = await open(helper, [...first, next, next], store())
      expect([await say('Mail Ann'), await say('And now?'), await say('And then?')]).toEqual(Array(3).fill('complete'))
      expect(server.bodies[2]?.[member]).toEqual([
        { role: 'user', content: 'Mail Ann' },
        ...remembered,
        { role: 'user', content: 'And now?' },
      ])
      expect(server.bodies[3]?.[member]).toEqual([
        { role: 'user', content: 'Mail Ann' },
        ...remembered,
        { role: 'user', content: 'And now?' },
        { role: 'assistant', content: 'Again.' },
        { role: 'user', content: 'And then?' },
      ])
    })

    it('never gives a page what the model seals', async () => {
      const { say, read } = await open(helper, [...first, next], memoryConversationStore())
      await say('Mail Ann')
      const page = await read()
      expect(page).toContain('Done.')
      expect(page).not.toContain(secret)
    })

    it('sends nothing back of an answer that the user has replaced', async () => {
      const { say, edit, server } = await open(helper, [...first, next, next], memoryConversationStore())
      await say('Mail Ann')
      expect(await edit('Mail Bob')).toBe('complete')
      expect(JSON.stringify(server.bodies[2])).not.toContain(secret)
    })

    it('makes the answer again from its parts when the app has changed its text', async () => {
      const { say, server } = await open(helper, [...first, next], memoryConversationStore())
      await say('Mail Ann', async function* (answer) {
        for await (const output of answer) yield output === 'Done.' ? 'Sent.' : output
      })
      await say('And now?')
      const sent = JSON.stringify(server.bodies[2])
      expect(sent).toContain('Sent.')
      expect(sent).not.toContain('Done.')
      expect(sent).not.toContain(secret)
    })

    it('makes an answer again from its parts that failed', async () => {
      const { say, server } = await open(
        helper,
        [...first.slice(0, 1), { status: 500, body: {} }, next],
        memoryConversationStore(),
      )
      expect(await say('Mail Ann')).toBe('failed')
      expect(await say('And now?')).toBe('complete')
      const sent = JSON.stringify(server.bodies[2])
      expect(sent).toContain('send_email')
      expect(sent).not.toContain(secret)
    })
  },
)

describe('fromOpenAi, in the next request of a conversation', () => {
  it('makes an answer again from its parts when OpenAI has not encrypted its reasoning', async () => {
    const answers = [
      openai.whole(openai.reasoning('Mail is best.'), openai.message('Done.')),
      openai.whole(openai.message('Again.')),
    ]
    const { say, server } = await open(FROM_OPENAI, answers, memoryConversationStore())
    await say('Mail Ann')
    await say('And now?')
    expect(server.bodies[1]?.['input']).toEqual([
      { role: 'user', content: 'Mail Ann' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And now?' },
    ])
  })
})
