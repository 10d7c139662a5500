import { describe, expect, it } from 'vitest'
import { memoryConversationStore } from '../../src/server/conversation/memory-conversation-store.ts'
import type { ConversationStore } from '../../src/server/conversation/conversation-store.ts'
import { conversationStoreCases } from '../../src/testing/conversation-store-cases.ts'

/** Names of the cases that a store fails. */
async function failures(change: (store: ConversationStore) => ConversationStore): Promise<string[]> {
  const failed: string[] = []
  for (const { name, run } of conversationStoreCases(() => change(memoryConversationStore())))
    await run().catch(() => failed.push(name))
  return failed
}

describe('the cases of a conversation store', () => {
  it('are all met by the store in memory', async () => {
    expect(await failures((store) => store)).toEqual([])
    expect(conversationStoreCases(memoryConversationStore).length).toBeGreaterThan(12)
  })

  it.each<[string, (store: ConversationStore) => ConversationStore]>([
    ['loses answers', (store) => ({ ...store, finish: async () => {} })],
    ['has one owner', (store) => ({ ...store, turns: ({ id }) => store.turns({ owner: '', id }) })],
    ['never removes', (store) => ({ ...store, remove: async () => {} })],
    ['never renames', (store) => ({ ...store, rename: async () => {} })],
    ['ignores the limit', (store) => ({ ...store, list: (owner) => store.list(owner, 1000) })],
    ['sorts turns', (store) => ({ ...store, turns: async (key) => (await store.turns(key)).toReversed() })],
  ])('are not met by one that %s', async (_, change) => {
    expect(await failures(change)).not.toEqual([])
  })

  it('report the actual value', async () => {
    const [, second] = conversationStoreCases(() => ({ ...memoryConversationStore(), turns: async () => [] }))
    await expect(second?.run()).rejects.toThrow(/gave other turns than expected\.\nExpected: .*"Question b"/)
  })
})
