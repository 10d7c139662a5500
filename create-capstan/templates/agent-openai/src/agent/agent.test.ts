import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { answer } from './agent'
import { openConversation } from './open-conversation'

/** A client whose model says how many messages it was told, and the first of them. */
const client = new OpenAI({
  apiKey: 'none',
  fetch: async (_url, init) => {
    // What the SDK posts.
    const { input } = JSON.parse(String(init?.body)) as { input: readonly { role: string; content: string }[] }
    const events = [
      { type: 'response.created', sequence_number: 0, response: { id: 'response', status: 'in_progress' } },
      {
        type: 'response.output_text.delta',
        sequence_number: 1,
        item_id: 'message',
        output_index: 0,
        content_index: 0,
        delta: `${input.length}: ${input[0]?.content}`,
      },
      { type: 'response.completed', sequence_number: 2, response: { id: 'response', status: 'completed', output: [] } },
    ]
    const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } })
  },
})

it('tells the model what was said before', async () => {
  const say = openConversation((_request, run) => answer(client, run))
  expect(await say('Hello')).toBe('1: Hello')
  expect(await say('And now?')).toBe('3: Hello')
})
