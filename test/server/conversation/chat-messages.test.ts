import { expect, it } from 'vitest'
import { chatMessages } from '../../../src/server/conversation/chat-messages.ts'
import { messagesOf } from '../../../src/server/conversation/conversation-message.ts'
import type { ConversationPart } from '../../../src/server/conversation/conversation-store.ts'

const said = (id: string, text: string, parts: readonly ConversationPart[] | undefined) => ({
  id,
  replaces: [],
  text,
  at: 0,
  ...(parts && { answer: { parts, status: 'complete' as const, at: 0 } }),
})

it('gives a model alternating roles, without answers that say nothing', async () => {
  const history = messagesOf([
    said('a', 'Hello', [{ type: 'text', id: 't', text: 'Hi!' }]),
    said('b', 'Why?', undefined),
    said('c', 'Well?', [{ type: 'citations', id: 'c', citations: [] }]),
  ])
  expect(await chatMessages({ history: async () => history, text: 'Please.' })).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: 'Why?\n\nWell?\n\nPlease.' },
  ])
})
