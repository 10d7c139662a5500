import { AgentError } from '../../src/base/agent-error.ts'
import type { AgentErrorInit } from '../../src/base/agent-error.ts'
import type { Connection } from '../../src/session/connection.ts'
import type { Chat, ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import type { Message, MessagePart } from '../../src/state/message.ts'

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

export const lineAt = (change: Partial<Connection> = {}): Connection => ({
  phase: 'idle',
  attempt: 0,
  maxAttempts: 3,
  nextRetryAt: undefined,
  error: undefined,
  connections: 0,
  ...change,
})

export function errorOf(init: Partial<AgentErrorInit> = {}): AgentError {
  return new AgentError({ kind: 'runtime', code: 'agent_error', severity: 'FATAL', message: 'The index is gone.', ...init })
}

export const text = (words: string, id = 'text-1'): MessagePart => ({ type: 'text', id, text: words })

export const said = (id: string, words: string, change: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  status: 'sent',
  parts: [text(words)],
  ...change,
})

export const answer = (id: string, parts: readonly MessagePart[], change: Partial<Message> = {}): Message => ({
  id,
  role: 'assistant',
  status: 'complete',
  parts,
  ...change,
})

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
