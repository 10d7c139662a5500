import { connectionAt } from '../../stories/support/messages.ts'
import { isAgentError } from '../../src/base/agent-error.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import { type SendOptions, type SendResult, ACCEPTED } from '../../src/state/chat-options.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { outgoingOf } from '../../src/state/conversation.ts'

export { answer, errorOf, connectionAt, said, text } from '../../stories/support/messages.ts'

/** A chat in memory: tests say what its snapshot is and read which actions were used. */
export interface FakeChat extends ChatInstance {
  /** Actions in the order they were used, with their argument. */
  readonly used: [action: string, argument?: unknown][]
  /** How each message was to be sent. */
  readonly options: readonly (SendOptions | undefined)[]
  set(change: Partial<ChatSnapshot>): void
  /** Changes one message; all others stay the same objects. */
  change(id: string, change: Partial<ChatMessage>): void
  /** What the next `sendMessage` or `edit` is refused with; an error that is no AgentError is thrown. */
  refuse(error: Error): void
  readonly listeners: number
}

export function createFakeChat(start: Partial<ChatSnapshot> = {}): FakeChat {
  let snapshot: ChatSnapshot = {
    conversationId: 'c-1',
    messages: [],
    status: 'ready',
    connection: connectionAt(),
    error: undefined,
    warnings: [],
    queued: [],
    ...start,
  }
  let refusal: Error | undefined
  const listeners = new Set<() => void>()
  const used: FakeChat['used'] = []
  const options: (SendOptions | undefined)[] = []
  const action = (name: string) => (argument?: unknown) => {
    used.push(argument === undefined ? [name] : [name, argument])
    return Promise.resolve()
  }
  const set = (change: Partial<ChatSnapshot>): void => {
    snapshot = { ...snapshot, ...change }
    for (const listener of [...listeners]) listener()
  }
  const sending =
    (name: string) =>
    async (argument?: unknown): Promise<SendResult> => {
      await action(name)(argument)
      return ACCEPTED
    }
  const answerTo = async (): Promise<SendResult> => {
    const error = refusal
    refusal = undefined
    if (error === undefined) return ACCEPTED
    if (isAgentError(error)) return { status: 'refused', error }
    throw error
  }
  return {
    conversationId: 'c-1',
    used,
    options,
    set,
    change: (id, change) =>
      set({ messages: snapshot.messages.map((message) => (message.id === id ? { ...message, ...change } : message)) }),
    refuse: (error) => {
      refusal = error
    },
    get listeners() {
      return listeners.size
    },
    changeState(stateEdit) {
      set({ stateEdit })
      return true
    },
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sendMessage(message, option) {
      used.push(['sendMessage', message])
      options.push(option)
      return answerTo()
    },
    edit(id, message) {
      used.push(['edit', [id, message]])
      return answerTo()
    },
    async regenerate(id, option) {
      options.push(option)
      return sending('regenerate')(id)
    },
    async stop() {
      used.push(['stop'])
      return 'cancelled'
    },
    say: sending('say'),
    async answer(promptId, answer) {
      used.push(['answer', [promptId, answer]])
      return { status: 'accepted' }
    },
    async changeLease(leaseId, change) {
      used.push(['changeLease', [leaseId, change]])
      return { status: 'accepted' }
    },
    disconnect: action('disconnect'),
    resume: action('resume'),
    retry: sending('retry'),
    discard(id) {
      used.push(['discard', id])
      const message = snapshot.messages.find((known) => known.id === id)
      const waiting = snapshot.queued.find((known) => known.id === id)
      set({
        messages: snapshot.messages.filter((known) => known !== message),
        queued: snapshot.queued.filter((known) => known !== waiting),
      })
      return message === undefined ? waiting?.message : outgoingOf(message)
    },
    prepend: (older) => set({ messages: [...older, ...snapshot.messages] }),
    clearError: () => {
      used.push(['clearError'])
      set({ error: undefined })
    },
    dispose: action('dispose'),
  }
}
