import { expect, it } from 'vitest'
import { settled } from '../../../../src/protocols/ai-sdk/client/ui-messages.ts'

it('sends text and thoughts of an answer that was cut as done: servers refuse a turn behind one that streams', () => {
  const parts = [
    { type: 'reasoning', text: 'hm', state: 'streaming' as const },
    { type: 'text', text: 'Rivers b', state: 'streaming' as const },
  ]
  expect(settled({ id: 'm1', role: 'assistant', parts }).parts.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(settled({ id: 'm1', role: 'user', parts }).parts).toBe(parts)
})
