import type { ConversationEntry, ConversationStore, ConversationTurn } from './conversation-store.ts'

export interface MemoryConversationStoreOptions {
  /**
   * Most that all conversations take together, in UTF-16 units of their JSON; those that were quiet for longest go first, whole.
   *
   * @default 32_000_000
   */
  readonly maxLength?: number | undefined
}

interface Conversation {
  readonly owner: string
  entry: ConversationEntry
  /** Each as JSON, so that nobody changes what is stored. */
  readonly turns: Map<string, string>
  length: number
}

/**
 * Conversations in the memory of the process: for development, and for agents whose users can do without them after a restart.
 *
 * @example
 * ```ts
 * import { createAgentHandler, memoryConversationStore } from 'capstan/server'
 *
 * export const POST = createAgentHandler({
 *   conversations: memoryConversationStore({ maxLength: 1_000_000 }),
 *   agent: async function* (_request, run) {
 *     yield `You have said ${(await run.history()).length} things before.`
 *   },
 * })
 * ```
 */
export function memoryConversationStore({
  maxLength = 32_000_000,
}: MemoryConversationStoreOptions = {}): ConversationStore {
  /** The one that was quiet for longest is first. */
  const conversations = new Map<string, Conversation>()
  let total = 0

  const forget = (name: string): void => {
    total -= conversations.get(name)?.length ?? 0
    conversations.delete(name)
  }

  const write = (name: string, conversation: Conversation, turn: ConversationTurn): void => {
    const json = JSON.stringify(turn)
    const grown = json.length - (conversation.turns.get(turn.id)?.length ?? 0)
    conversation.turns.set(turn.id, json)
    conversation.length += grown
    total += grown
    // To the end: it is the one that was changed last.
    conversations.delete(name)
    conversations.set(name, conversation)
    for (const other of conversations.keys()) {
      if (total <= maxLength || other === name) break
      forget(other)
    }
  }

  return {
    async begin({ owner, id }, turn, title) {
      const name = nameOf(owner, id)
      const known = conversations.get(name)
      const entry = { id, title, createdAt: turn.at, ...known?.entry, updatedAt: turn.at }
      const conversation = known ?? { owner, entry, turns: new Map<string, string>(), length: 0 }
      conversation.entry = entry
      write(name, conversation, turn)
    },
    async finish({ owner, id }, turnId, answer) {
      const name = nameOf(owner, id)
      const conversation = conversations.get(name)
      const json = conversation?.turns.get(turnId)
      if (conversation === undefined || json === undefined) return
      conversation.entry = { ...conversation.entry, updatedAt: answer.at }
      write(name, conversation, { ...readTurn(json), answer })
    },
    turns: async ({ owner, id }) => [...(conversations.get(nameOf(owner, id))?.turns.values() ?? [])].map(readTurn),
    async list(owner, limit) {
      return [...conversations.values()]
        .filter((conversation) => conversation.owner === owner)
        .map(({ entry }) => entry)
        .toReversed()
        .toSorted((left, right) => right.updatedAt - left.updatedAt)
        .slice(0, limit)
    },
    async rename({ owner, id }, title) {
      const conversation = conversations.get(nameOf(owner, id))
      if (conversation !== undefined) conversation.entry = { ...conversation.entry, title }
    },
    async remove({ owner, id }) {
      forget(nameOf(owner, id))
    },
  }
}

function nameOf(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}

function readTurn(json: string): ConversationTurn {
  // It was written here.
  return JSON.parse(json) as ConversationTurn
}
