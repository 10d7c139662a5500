import { beforeAll, expect, it } from 'vitest'
import { toolClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { serve } from './served-runtime.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

it('of a tool that ends by the answer is answered, although its run has ended before the runtime says that it took the answer', async () => {
  const { client, settle, environment } = serve({
    tools: {
      async *pick(_given, { choose }) {
        const { value } = await choose({ prompt: 'Which way?', options: [{ id: 'fast', label: 'The fast one' }] })
        yield `You chose ${value}.`
      },
    },
  })
  const agent = toolClient(client(), { tool: 'pick', toArguments: () => ({}) })
  const chat = createChat({ client: () => agent, conversationId: 'c1' })
  const rest = async (): Promise<void> => {
    await settle()
    environment.paint()
    await settle()
  }
  void chat.sendMessage('Go')
  await rest()
  const [asked] = chat.getSnapshot().messages.flatMap(promptsOf)
  const answered = chat.answer(asked?.id ?? '', { type: 'option', optionId: 'fast' })
  await rest()
  expect(await answered).toEqual({ status: 'accepted' })
  const answer = chat.getSnapshot().messages.at(-1)
  expect(answer).toMatchObject({ status: 'complete' })
  expect(answer?.parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'You chose fast.' }))
  expect(chat.getSnapshot().messages.flatMap(promptsOf)).toMatchObject([
    { state: 'answered', answer: { optionId: 'fast' } },
  ])
})
