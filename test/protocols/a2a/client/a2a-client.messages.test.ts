import { SendMessageRequest } from '@a2a-js/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { A2AClient } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import type { A2AMessageInput } from '../../../../src/protocols/a2a/client/message-input.ts'
import { jsonRpcTransport } from '../../../../src/protocols/a2a/client/json-rpc-transport.ts'
import type { Part } from '../../../../src/protocols/a2a/messages.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { createChat } from '../../../../src/state/chat.ts'
import { PEERS } from '../../../support/a2a/peers.ts'
import { keepServerQuiet } from '../../../support/a2a/quiet-server.ts'

keepServerQuiet()

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

/** Each kind of part, with what may be next to it. */
const PARTS: readonly Part[] = [
  { raw: 'SGVsbG8=', mediaType: 'text/plain', filename: 'a.txt', metadata: { page: 1 } },
  { raw: 'AAECAw==' },
  { url: 'https://files.example/b.pdf', mediaType: 'application/pdf', filename: 'b.pdf' },
  { url: 'data:text/plain,hi' },
  { data: { river: 'Loire', km: [1006, null], nested: { a: '' } }, mediaType: 'application/json' },
]

/** Data that 0.3 cannot carry as they are: there they are an object. */
const VALUES: readonly unknown[] = [['a', 1], 'text', 7, true]

describe.each(PEERS)('a message to $name', ({ name, serve, connect }) => {
  const isOlder = name.includes('0.3 over')

  it('sendMessage delivers every kind of part to the server', async () => {
    const client = connect((await serve()).origin)
    const values = VALUES.map((data): Part => ({ data }))
    const { task } = await client.sendMessage({ parts: [{ text: 'echo' }, ...PARTS, ...values] })
    const copy = task?.artifacts?.find(({ artifactId }) => artifactId === 'copy')
    const received = isOlder ? VALUES.map((value) => ({ data: { value } })) : values
    const sent = isOlder && name.includes('0.3.14') ? PARTS.map(withoutMetadata) : PARTS
    expect(copy?.parts.map(isOlder ? withoutMediaTypeOfData : same)).toEqual(
      [...sent, ...received].map(isOlder ? withoutMediaTypeOfData : same),
    )
  })

  it.each([
    ['the words of a form with one text', { reply: 'the Loire' }, { text: 'the Loire' }],
    ['the values of a form', { river: 'Loire', km: 1006 }, { data: { river: 'Loire', km: 1006 } }],
  ])('a chat delivers %s', async (_, value, part) => {
    const client = connect((await serve()).origin)
    const chat = createChat({ client: () => client, conversationId: 'c1' })
    chats.push(chat)
    await chat.sendMessage('ask')
    const prompt = chat
      .getSnapshot()
      .messages.at(-1)
      ?.parts.find(({ type }) => type === 'prompt')
    const taskId = prompt?.type === 'prompt' ? prompt.prompt.streamId : ''
    await chat.answer(prompt?.id ?? '', { type: 'value', value })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    const { history = [] } = await client.getTask(taskId, { historyLength: 9 })
    expect(history.filter(({ role }) => role === 'ROLE_USER').at(-1)?.parts).toMatchObject([part])
  })
})

const same = (part: Part): Part => part
/** The script of the server of 0.3 gives no metadata back. */
const withoutMetadata = ({ metadata: _metadata, ...part }: Part): Part => part
/** In 0.3 data have no media type. */
const withoutMediaTypeOfData = (part: Part): Part => {
  if (part.data === undefined) return part
  const { mediaType: _mediaType, ...rest } = part
  return rest
}

describe('the parser of the official SDK', () => {
  it('reads every member of what a client sends', async () => {
    const bodies: { readonly params: unknown }[] = []
    const client = new A2AClient({
      tenant: 'acme',
      transport: jsonRpcTransport({
        url: 'https://agent.test',
        fetch: async (_, init) => {
          bodies.push(JSON.parse(typeof init?.body === 'string' ? init.body : ''))
          return Response.json({ jsonrpc: '2.0', id: 1, result: { message: { messageId: 'm', role: 'ROLE_AGENT' } } })
        },
      }),
    })
    await client.sendMessage(
      {
        parts: [{ text: 'Why?', metadata: { a: 1 } }, ...PARTS, ...VALUES.map((data): Part => ({ data }))],
        contextId: 'c',
        taskId: 't',
        referenceTaskIds: ['r'],
        metadata: { b: { c: null } },
      },
      {
        configuration: { acceptedOutputModes: ['text/plain'], historyLength: 4, returnImmediately: true },
        metadata: { d: 2 },
      },
    )
    expect(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(bodies[0]?.params))).toEqual(bodies[0]?.params)
  })
})

describe('a malformed message', () => {
  const MALFORMED: readonly (readonly [string, unknown, RegExp])[] = [
    ['without parts', { text: 'x' }, /message\.parts must have at least one part/],
    ['with an empty list of parts', { parts: [] }, /at least one part/],
    ['whose parts are no list', { parts: 'x' }, /message\.parts must be a list/],
    ['with a part that is a string', { parts: ['x'] }, /message\.parts\.0 must be an object/],
    [
      'with a part without content',
      { parts: [{ text: 'a' }, { filename: 'x' }] },
      /message\.parts\.1 must have exactly one/,
    ],
    [
      'with a part of two kinds',
      { parts: [{ text: 'a', url: 'https://x.test' }] },
      /exactly one of text, raw, url, data/,
    ],
    ['with a text that is a number', { parts: [{ text: 7 }] }, /message\.parts\.0\.text must be a string/],
    ['with an empty id', { parts: [{ text: 'a' }], messageId: '' }, /messageId must not be empty/],
    ['with an id that is a number', { parts: [{ text: 'a' }], messageId: 7 }, /messageId must be a string/],
    ['that is undefined', undefined, /message must be an object/],
    ['that is null', null, /message must be an object/],
  ]

  it.each(MALFORMED)('%s is refused before it is sent', async (_, malformed, message) => {
    let sent = 0
    const client = A2AClient.fromUrl('https://agent.test', {
      fetch: async () => {
        sent += 1
        return Response.error()
      },
    })
    // What JavaScript can pass, whatever the type says.
    const input = malformed as A2AMessageInput
    const refusal = { name: 'A2AError', code: 'invalid_request', message: expect.stringMatching(message) }
    await expect(client.sendMessage(input)).rejects.toMatchObject(refusal)
    await expect(client.sendMessageStream(input).next()).rejects.toMatchObject(refusal)
    expect(sent).toBe(0)
  })
})
