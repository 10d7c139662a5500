import { lineAt } from '../../stories/support/messages.ts'
import type { Chat, ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import type { Message } from '../../src/state/message.ts'

export { answer, errorOf, lineAt, said, text } from '../../stories/support/messages.ts'

/** A chat in memory: tests say what its snapshot is and read which verbs were used. */
export interface FakeChat extends Chat {
  /** Verbs in the order they were used, with their argument. */
  readonly used: [verb: string, argument?: unknown][]
  set(change: Partial<ChatSnapshot>): void
  /** Changes one message; all others stay the same objects. */
  change(id: string, change: Partial<Message>): void
  /** What the next `sendMessage` rejects with. */
  refuse(error: Error): void
  readonly listeners: number
}

export function createFakeChat(start: Partial<ChatSnapshot> = {}): FakeChat {
  let snapshot: ChatSnapshot = {
    conversationId: 'c-1',
    messages: [],
    status: 'ready',
    connection: lineAt(),
    error: undefined,
    warnings: [],
    ...start,
  }
  let refusal: Error | undefined
  const listeners = new Set<() => void>()
  const used: FakeChat['used'] = []
  const verb = (name: string) => (argument?: unknown) => {
    used.push(argument === undefined ? [name] : [name, argument])
    return Promise.resolve()
  }
  const set = (change: Partial<ChatSnapshot>): void => {
    snapshot = { ...snapshot, ...change }
    for (const listener of [...listeners]) listener()
  }
  return {
    conversationId: 'c-1',
    used,
    set,
    change: (id, change) =>
      set({ messages: snapshot.messages.map((message) => (message.id === id ? { ...message, ...change } : message)) }),
    refuse: (error) => {
      refusal = error
    },
    get listeners() {
      return listeners.size
    },
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async sendMessage(message) {
      used.push(['sendMessage', message])
      if (refusal === undefined) return
      const error = refusal
      refusal = undefined
      throw error
    },
    regenerate: verb('regenerate'),
    stop: verb('stop'),
    disconnect: verb('disconnect'),
    resume: verb('resume'),
    retry: verb('retry'),
    discard(id) {
      used.push(['discard', id])
      const message = snapshot.messages.find((known) => known.id === id)
      set({ messages: snapshot.messages.filter((known) => known.id !== id) })
      return message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
    },
    clearError: () => {
      used.push(['clearError'])
      set({ error: undefined })
    },
    dispose: verb('dispose'),
  }
}
