import type { ChatInstance } from '../state/chat.ts'
import type { OutgoingMessage } from '../state/turn.ts'
import { type ChatOptions, type SendResult, ACCEPTED } from '../state/chat-options.ts'
import { outgoingOf, withMetadata } from '../state/conversation.ts'
import { type CallResult, isAnswerResult, type ChatCall } from './tabs/tab-message.ts'
import type { ChatStorage } from './tabs/chat-storage.ts'
import { createChatView } from './tabs/chat-view.ts'
import { createPendingCalls } from './tabs/call-router.ts'
import { asJson, packMessage, packOutgoing } from './records/stored-message.ts'
import type { TabMember } from './tabs/tab-member.ts'
import { createTabMember } from './tabs/tab-member.ts'
import { isRunLive } from './records/read-record.ts'

/** A chat that outlives its page and is the same in every tab. */
export interface StoredChat extends ChatInstance {
  /** Writes what is not written yet: the page may be about to go. */
  save(): Promise<void>
  /**
   * Begins again with what is kept now, ending its run: after the thread was deleted or put back.
   * @param at epoch milliseconds of that: later messages stay
   */
  reload(at: number): Promise<void>
  /** The user signed out: discards all data and leaves the other tabs. */
  signOut(): void
  /** The disk works now: a chat that ran without it joins the tabs that use it. */
  diskOpened(): void
  /**
   * The disk has refused a write of that term: a later leader has acquired the conversation. Returns true when the
   * refused change is not lost.
   */
  overtaken(term: number | undefined): boolean
}

/**
 * One chat over many tabs. The leader has the live chat, saves it and notifies the followers; they show what they
 * are notified and send it the calls of their user. When it closes, the next one continues from its state.
 */
export function createStoredChat(options: ChatOptions, storage: ChatStorage): StoredChat {
  const { conversationId, initialMessages = [] } = options
  const client = options.client()
  const createError = client.protocol.createError.bind(client.protocol)
  const view = createChatView({ conversationId, initialMessages, maxAttempts: client.retry.maxAttempts, createError })
  const calls = createPendingCalls(client.environment.uuid, createError)
  const heard = { term: 0 }
  let member: TabMember | undefined
  /** Ids of calls whose run has been displayed: from then on, what is displayed is what their user means to stop. */
  let displayed: ReadonlySet<string> = new Set()
  view.subscribe(() => {
    const { messages } = view.getSnapshot()
    const ids = calls.all().map(({ id }) => id)
    displayed = new Set(ids.filter((id) => displayed.has(id) || messages.some(({ requestId }) => requestId === id)))
  })

  function join(): TabMember {
    if (member === undefined) {
      const own = createTabMember({
        options,
        storage,
        view,
        calls,
        createError,
        heard,
        onLeft: () => (member === own ? (member = undefined) : undefined),
      })
      member = own
    } else member.stay()
    return member
  }

  /** Here if this tab leads, else in the tab that does. */
  function call(what: ChatCall): Promise<CallResult> {
    const own = join()
    const { pending, settled } = calls.add(what, storage.ports.clock.date())
    own.send(pending)
    return settled
  }

  /** Of a call whose results are those of a message. */
  async function send(what: ChatCall): Promise<SendResult> {
    const result = await call(what)
    return result.status === 'queued' || result.status === 'refused' ? result : ACCEPTED
  }

  /** The run that the user wants to stop: the one they just began, or else the one displayed as live or being stopped. What leads displays a run when it begins it. */
  function runToStop(): string | undefined {
    const pending = member?.leading === undefined ? calls.all() : []
    const begun = pending.findLast(
      ({ id, call: begins }) =>
        !displayed.has(id) &&
        (begins.action === 'edit' ||
          begins.action === 'regenerate' ||
          // A message that is queued or sent into the answer does not begin a run while one is running.
          (begins.action === 'sendMessage' && (begins.options.whenBusy ?? 'reject') === 'reject')),
    )
    const { messages } = view.getSnapshot()
    return (
      begun?.id ??
      messages.findLast(
        ({ requestId, stop }) => requestId !== undefined && (stop === 'cancelling' || isRunLive(messages, requestId)),
      )?.requestId
    )
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
    changeState(edit) {
      if (client.protocol.sharesState !== true) return false
      void call({ action: 'changeState', edit })
      return true
    },
    sendMessage: (message, { metadata, whenBusy } = {}) =>
      send({
        action: 'sendMessage',
        message: packOutgoing(withMetadata(typeof message === 'string' ? { text: message } : message, metadata)),
        options: { whenBusy },
      }),
    edit: (messageId, message) =>
      send({ action: 'edit', messageId, message: typeof message === 'string' ? message : packOutgoing(message) }),
    regenerate: (messageId, { metadata } = {}) => send({ action: 'regenerate', messageId, metadata: asJson(metadata) }),
    retry: (messageId) => send({ action: 'retry', messageId }),
    say: (text) => send({ action: 'sendMessage', message: { text }, options: { whenBusy: 'say' } }),
    async answer(promptId, answer) {
      const result = await call({ action: 'answer', promptId, answer })
      return isAnswerResult(result) ? result : { status: 'accepted' }
    },
    async changeLease(leaseId, change) {
      const result = await call({ action: 'changeLease', leaseId, change })
      return isAnswerResult(result) && result.status !== 'staged' ? result : { status: 'accepted' }
    },
    async stop() {
      const { status } = await call({ action: 'stop', requestId: runToStop() })
      // A call that another tab has taken over, or that was settled without an answer, says nothing of the agent.
      return status === 'cancelled' ? 'cancelled' : 'left'
    },
    async disconnect() {
      member?.leaveLater()
    },
    async resume() {
      if (member === undefined) join()
      else await call({ action: 'resume' })
    },
    discard(messageId): OutgoingMessage | undefined {
      const { leading } = join()
      if (leading !== undefined) return leading.chat.discard(messageId)
      const { messages, queued } = view.getSnapshot()
      const unsent = messages.find(({ id, status }) => id === messageId && status === 'not-sent')
      const taken = queued.find(({ id }) => id === messageId)?.message ?? (unsent && outgoingOf(unsent))
      if (taken !== undefined) void call({ action: 'discard', messageId })
      return taken
    },
    prepend(messages) {
      const { leading } = join()
      if (leading === undefined) void call({ action: 'prepend', messages: messages.map(packMessage) })
      else leading.chat.prepend(messages)
    },
    clearError: () => void call({ action: 'clearError' }),
    async dispose() {
      const leading = member?.leading
      const { status } = view.getSnapshot()
      // A run that has ended here may be resumed later.
      const told = status === 'ready' || status === 'error' ? undefined : leading?.chat.stop()
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
