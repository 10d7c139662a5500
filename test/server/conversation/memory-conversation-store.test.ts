import { describe, expect, it } from 'vitest'
import { memoryConversationStore } from '../../../src/server/conversation/memory-conversation-store.ts'
import { conversationStoreCases } from '../../../src/testing/conversation-store-cases.ts'

describe('the conversation store in memory', () => {
  it.each(conversationStoreCases(() => memoryConversationStore()))('$name', ({ run }) => run())

  it('lets go of the conversations that were quiet for longest when it is full, whole, and never of the one that is written', async () => {
    const store = memoryConversationStore({ maxLength: 500 })
    const begin = (id: string, text: string) =>
      store.begin({ owner: 'ann', id }, { id: 't', replaces: [], text, at: 1 }, id)
    await begin('a', 'x'.repeat(150))
    await begin('b', 'x'.repeat(150))
    await store.finish({ owner: 'ann', id: 'a' }, 't', { parts: [], status: 'complete', at: 2 })
    await begin('c', 'x'.repeat(150))
    const listed = async () => (await store.list('ann', 9)).map(({ id }) => id)
    expect((await listed()).toSorted()).toEqual(['a', 'c'])
    await begin('d', 'x'.repeat(2000))
    expect(await listed()).toEqual(['d'])
  })
})
