import type { Chat, OutgoingMessage } from '../state/chat-snapshot.ts'
import type { ChatOptions } from '../state/chat-options.ts'
import { outgoingOf } from '../state/resend.ts'
import type { SendResult } from '../state/send-result.ts'
import type { ChatStorage } from './tabs/chat-storage.ts'
import { createChatView } from './tabs/chat-view.ts'
import { createPendingCalls } from './tabs/pending-calls.ts'
import { packMessage, packOutgoing } from './records/stored-message.ts'
import type { TabMember } from './tabs/tab-member.ts'
import { createTabMember } from './tabs/tab-member.ts'
import type { ChatCall } from './tabs/tab-message.ts'
import { isLive } from './records/thread-of.ts'

/** A chat that outlives its page and is the same in every tab. */
export interface StoredChat extends Chat {
  /** Writes what is not written yet: the page may be about to go. */
  save(): Promise<void>
  /**
   * Begins anew with what is kept now, ending its run: after the thread was deleted or put back.
   * @param at epoch milliseconds of that: what was said later stays
   */
  reload(at: number): Promise<void>
  /** The person has signed out: forgets everything, and has nothing to do with other tabs any more. */
  signOut(): void
  /** The disk works now: a chat that did without it joins the tabs that have it. */
  diskOpened(): void
  /** The disk has refused a write of that term: a later leader has claimed the conversation. True when what was refused is not lost. */
  overtaken(term: number | undefined): boolean
}

/**
 * One chat over many tabs. The tab that leads has the real chat, writes it down and tells the followers; they show what they
 * are told and send it the calls of their person. When it goes, the next one begins where it stood.
 */
export function createStoredChat(options: ChatOptions, home: ChatStorage): StoredChat {
  const { conversationId, initialMessages = [] } = options
  const client = options.client()
  const createError = client.protocol.createError.bind(client.protocol)
  const view = createChatView({ conversationId, initialMessages, maxAttempts: client.retry.maxAttempts, createError })
  const calls = createPendingCalls(client.environment.uuid)
  const heard = { term: 0 }
  let member: TabMember | undefined

  function join(): TabMember {
    if (member === undefined) {
      const own = createTabMember({ options, home, view, calls, createError, heard, onLeft: () => (member === own ? (member = undefined) : undefined) })
      member = own
    } else member.stay()
    return member
  }

  /** Here if this tab leads, else in the tab that does. */
  function call(what: ChatCall): Promise<SendResult> {
    const own = join()
    const { pending, settled } = calls.add(what, home.ports.clock.date())
    own.send(pending)
    return settled
  }

  /** The run that a person means who says stop: the one they have just begun, or see. */
  function runToStop(): string | undefined {
    if (member?.leading !== undefined) return undefined
    const begun = calls.all().findLast((pending) => pending.call.verb === 'edit' || pending.call.verb === 'regenerate' || (pending.call.verb === 'sendMessage' && pending.call.options.whenBusy !== 'queue'))
    const { messages } = view.getSnapshot()
    return begun?.id ?? messages.findLast(({ requestId }) => requestId !== undefined && isLive(messages, requestId))?.requestId
  }

  async function reload(at: number): Promise<void> {
    const ended = member?.leading?.chat
    if (member === undefined) view.forget(at)
    else member.reset(at)
    view.show(view.snapshotOf(view.newest.state))
    await ended?.dispose()
  }

  return {
    conversationId,
    getSnapshot: view.getSnapshot,
    subscribe: view.subscribe,
    sendMessage: (message, sending = {}) => call({ verb: 'sendMessage', message: packOutgoing(typeof message === 'string' ? { text: message } : message), options: sending }),
    edit: (messageId, message) => call({ verb: 'edit', messageId, message: typeof message === 'string' ? message : packOutgoing(message) }),
    regenerate: (messageId) => call({ verb: 'regenerate', messageId }),
    retry: (messageId) => call({ verb: 'retry', messageId }),
    async stop() {
      await call({ verb: 'stop', requestId: runToStop() })
    },
    async disconnect() {
      member?.leaveLater()
    },
    async resume() {
      if (member === undefined) join()
      else await call({ verb: 'resume' })
    },
    discard(messageId): OutgoingMessage | undefined {
      const { leading } = join()
      if (leading !== undefined) return leading.chat.discard(messageId)
      const { messages, queued } = view.getSnapshot()
      const unsent = messages.find(({ id, status }) => id === messageId && status === 'not-sent')
      const taken = queued.find(({ id }) => id === messageId)?.message ?? (unsent && outgoingOf(unsent))
      if (taken !== undefined) void call({ verb: 'discard', messageId })
      return taken
    },
    prepend(messages) {
      const { leading } = join()
      if (leading === undefined) void call({ verb: 'prepend', messages: messages.map(packMessage) })
      else leading.chat.prepend(messages)
    },
    clearError: () => void call({ verb: 'clearError' }),
    async dispose() {
      const leading = member?.leading
      const told = leading?.chat.stop()
      calls.dispose()
      member?.leave()
      await told
      await leading?.chat.dispose()
    },
    save: async () => member?.leading?.replicator.save(),
    reload,
    signOut() {
      const isShown = member !== undefined
      void reload(Infinity)
      member?.leave()
      if (isShown) join()
    },
    diskOpened: () => member?.diskOpened(),
    overtaken: (term) => member?.overtaken(term) ?? false,
  }
}
