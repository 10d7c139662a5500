import { expect, it } from 'vitest'
import type { UiMessage } from '../../../../src/ai-sdk.ts'
import { fromUiMessages } from '../../../../src/ai-sdk.ts'
import { textOf } from '../../../../src/index.ts'
import { chatWithAiSdk, serveAiSdk, textAnswer } from '../../../support/ai-sdk-server.ts'

const STORED: readonly UiMessage[] = [
  {
    id: 'u1',
    role: 'user',
    metadata: { from: 'Ann' },
    parts: [
      { type: 'file', url: 'data:image/png;base64,AAAA', mediaType: 'image/png', filename: 'map.png' },
      { type: 'text', text: 'What is this?' },
    ],
  },
  {
    id: 'm1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm', state: 'done', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'tool-search', toolCallId: 'c1', state: 'output-available', input: { q: 'x' }, output: 1 },
      { type: 'source-url', sourceId: 's1', url: 'https://rivers.test/a' },
      { type: 'source-url', sourceId: 's2', url: 'https://rivers.test/b', title: 'B' },
      { type: 'text', text: 'A map.', state: 'done' },
    ],
  },
]

it('shows stored messages, and sends them back unchanged', async () => {
  const server = serveAiSdk({ POST: [textAnswer('m2', 'Yes.')] })
  const chat = chatWithAiSdk(server, {}, undefined, fromUiMessages('chat-1', STORED))
  const [question, answer] = chat.getSnapshot().messages
  expect(question).toMatchObject({
    status: 'sent',
    files: [{ id: 'data:image/png;base64,AAAA', name: 'map.png', mimeType: 'image/png' }],
  })
  expect(answer?.parts.map(({ type }) => type)).toEqual(['thought', 'tool-call', 'citations', 'text'])
  expect(answer?.parts[2]).toMatchObject({ citations: [{ sourceId: 's1' }, { sourceId: 's2', title: 'B' }] })
  await chat.sendMessage('Sure?')
  expect(server.seen[0]?.body.messages?.slice(0, 2)).toEqual(STORED)
  expect(server.seen[0]?.body.messages).toHaveLength(3)
  const last = chat.getSnapshot().messages.at(-1)
  expect(last && textOf(last)).toBe('Yes.')
  await chat.dispose()
})

const unnamed = (text: string): UiMessage => ({ id: '', role: 'assistant', parts: [{ type: 'text', text }] })
const asked = (id: string, text: string): UiMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })

it('shows and sends back every answer that a server has stored with an empty id, in pages too', async () => {
  const server = serveAiSdk({ POST: [textAnswer('m9', 'Yes.')] })
  const older = [unnamed('Zero.'), asked('u1', 'One?'), unnamed('One.'), unnamed('More.')]
  const newer = [unnamed('And more.'), asked('u2', 'Two?'), unnamed('Two.')]
  const chat = chatWithAiSdk(server, {}, undefined, fromUiMessages('chat-1', newer))
  chat.prepend(fromUiMessages('chat-1', older))
  const texts = chat.getSnapshot().messages.map((message) => textOf(message))
  expect(texts).toEqual(['Zero.', 'One?', 'One.', 'More.', 'And more.', 'Two?', 'Two.'])
  await chat.sendMessage('Sure?')
  expect(server.seen[0]?.body.messages?.slice(0, -1)).toEqual([...older, ...newer])
  await chat.dispose()
})
