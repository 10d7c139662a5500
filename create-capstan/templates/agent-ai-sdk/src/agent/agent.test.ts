import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { answer } from './agent'
import { openConversation } from './open-conversation'

/** A model that says how many messages it was told. */
const model = new MockLanguageModelV3({
  doStream: async ({ prompt }) => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-start', id: 'text' },
        { type: 'text-delta', id: 'text', delta: prompt.map(({ role }) => role).join(', ') },
        { type: 'text-end', id: 'text' },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
            outputTokens: { total: 1, text: 1, reasoning: undefined },
          },
        },
      ],
    }),
  }),
})

it('tells the model what was said before', async () => {
  const say = openConversation((_request, run) => answer(model, run))
  expect(await say('Hello')).toBe('system, user')
  expect(await say('And now?')).toBe('system, user, assistant, user')
})
