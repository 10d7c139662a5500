import { idleConnection } from '../session/connection-state.ts'
import type { Chat, ChatSnapshot, OutgoingMessage } from '../state/chat-snapshot.ts'
import type { CapturableChat, ChatOptions } from '../state/chat-options.ts'
import type { ChatState } from '../state/chat-state.ts'
import { createChat } from '../state/chat.ts'
import { outgoingOf } from '../state/resend.ts'
import type { ChatImage } from './chat-image.ts'
import { NO_IMAGE, createImageReader, withEqualsOf } from './chat-image.ts'
import type { ChatHome } from './chat-home.ts'
import type { Journal } from './journal.ts'
import { createJournal } from './journal.ts'
import { createPendingCalls } from './pending-calls.ts'
import { packMessage, packOutgoing } from './stored-message.ts'
import type { ChatCall, StateMessage, TabMessage } from './tab-message.ts'
import { isTabMessage, packRefusal, perform, unpackConnection, unpackRefusal } from './tab-message.ts'
import type { Seat, TabChannel } from './tabs.ts'
import { createSeat } from './tabs.ts'
import { statusOf, takeUp } from './take-up.ts'
import { isRunning } from './thread-of.ts'
import { createWriteAhead } from './write-ahead.ts'

/** A leader that has not taken a call by then is frozen. */
const PATIENCE_MS = 3000

/** A chat that outlives its page and is the same in every tab. */
export interface StoredChat extends Chat {
  /** Writes what is not written yet: the page may be about to go. */
  save(): Promise<void>
  /** Begins anew with what is kept now, ending its run: after the thread was deleted, put back, or everything was wiped. */
  reload(): Promise<void>
}

/** The time in which the chat is shown here: it leads, or it follows the tab that does. */
interface Stay {
  readonly channel: TabChannel | undefined
  seat?: Seat | undefined
  /** The chat itself, in the tab that leads. */
  inner?: CapturableChat | undefined
  journal?: Journal | undefined
  stopFollowing?: (() => void) | undefined
  /** Resolves when the chat itself is no longer here. */
  moved?: Promise<void> | undefined
  onMoved?: (() => void) | undefined
}

/**
 * One chat over many tabs. The tab that holds the lock has the real chat, writes it down and tells the others; they show
 * what they are told and pass on what their person does. When it goes, the next one begins where it stood.
 */
export function createStoredChat(options: ChatOptions, home: ChatHome): StoredChat {
  const { conversationId, initialMessages = [] } = options
  const { clock } = home.ports
  const client = options.client()
  const createError = client.protocol.createError.bind(client.protocol)
  const reader = createImageReader(createError)
  const listeners = new Set<() => void>()
  const calls = createPendingCalls({ newId: client.environment.uuid, onUnheard: () => stay?.seat?.claim(), after: (callback) => clock.after(PATIENCE_MS, callback) })
  const writeAhead = createWriteAhead(clock, async () => stay?.journal?.save())
  let image: ChatImage = { ...NO_IMAGE, state: { ...NO_IMAGE.state, messages: initialMessages } }
  let snapshot: ChatSnapshot = shownOf(image.state)
  let stay: Stay | undefined
  /** What the disk has, as far as it is known here. */
  let saved: ChatState | undefined
  /** Of the leader heard last, ourselves included, and of its last message. */
  let term = 0
  let count = 0

  function shownOf(state: ChatState): ChatSnapshot {
    const { messages, queued, error, warnings } = state
    return { conversationId, messages, queued, error, warnings, status: statusOf(state), connection: idleConnection(client.retry.maxAttempts) }
  }

  function show(next: ChatSnapshot): void {
    // Both are snapshots of a chat, with its keys.
    if ((Object.keys(next) as (keyof ChatSnapshot)[]).every((key) => next[key] === snapshot[key])) return
    snapshot = next
    for (const listener of [...listeners]) listener()
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isRunning(snapshot.status)) return
        stop()
        resolve()
      }
      const stop = subscribe(look)
      look()
    })
  }

  /** Takes what is on the disk, if it is newer than what is known here. */
  async function refresh(): Promise<void> {
    const { state, messages } = await home.disk.read(conversationId)
    if (state === undefined || state.revision <= image.revision) return
    const read = reader.read({ ...state, order: state.order.filter((id) => messages.has(id)) }, messages)
    if (read === undefined) return
    image = read
    saved = read.state
    if (stay?.inner === undefined) show(shownOf(read.state))
  }

  function join(): Stay {
    if (stay !== undefined) return stay
    const { locks, openChannel } = home.ports
    // Tabs that cannot agree who leads leave each other alone.
    const channel = locks && openChannel?.(`${home.name} ${conversationId}`)
    const own: Stay = { channel }
    stay = own
    channel?.onMessage((message) => (stay === own && isTabMessage(message) ? hear(own, message) : undefined))
    channel?.post({ type: 'hello' } satisfies TabMessage)
    void refresh()
    own.seat = createSeat({ locks, name: `${home.name} ${conversationId}`, onLead: () => void lead(own), onLost: () => follow(own) })
    return own
  }

  async function lead(own: Stay): Promise<void> {
    // Whoever led before may have written since.
    await refresh()
    if (stay === own && own.inner === undefined) begin(own)
  }

  function begin(own: Stay): void {
    const now = clock.date()
    const initialState = takeUp(image.state, { protocol: options.client().protocol, now, isOld: now - image.revision > home.resumeWithinMs })
    const inner = createChat({ ...options, client: () => writeAhead(options.client()), initialState })
    own.inner = inner
    own.moved = new Promise((resolve) => {
      own.onMoved = resolve
    })
    term = Math.max(now, term + 1)
    const revise = (state: ChatState): number => {
      image = { state, revision: Math.max(image.revision + 1, clock.date()) }
      return image.revision
    }
    const journal = createJournal({ chat: inner, home, channel: own.channel, term, saved, revise })
    own.journal = journal
    const publish = (): void => {
      const before = snapshot
      show(inner.getSnapshot())
      journal.note(before, snapshot)
    }
    own.stopFollowing = inner.subscribe(publish)
    own.channel?.post({ type: 'leads', term } satisfies TabMessage)
    if (initialState.run?.ended === false) void inner.resume()
    publish()
    calls.pass((id, what) => void call(what).then(() => calls.settle(id), (error: unknown) => calls.settle(id, unpackRefusal(packRefusal(error), createError))), whenIdle)
  }

  /** Another tab leads: what it says counts. */
  function follow(own: Stay): void {
    const { inner } = own
    if (inner === undefined) return
    void inner.disconnect()
    image = { state: inner.capture(), revision: image.revision }
    saved = undefined
    retire(own)
  }

  function hear(own: Stay, message: TabMessage): void {
    const { channel, inner } = own
    switch (message.type) {
      case 'hello':
        return own.journal?.tell(true)
      case 'leads':
        if (message.term < term) return
        follow(own)
        return channel?.post({ type: 'hello' } satisfies TabMessage)
      case 'state':
        return learn(own, message)
      case 'call':
        if (inner === undefined || message.term !== term) return
        channel?.post({ type: 'took', id: message.id } satisfies TabMessage)
        return void perform(inner, message.call, createError).then(
          () => channel?.post({ type: 'done', id: message.id } satisfies TabMessage),
          (error: unknown) => channel?.post({ type: 'done', id: message.id, error: packRefusal(error) } satisfies TabMessage),
        )
      case 'took':
        return calls.took(message.id)
      case 'done':
        return calls.settle(message.id, message.error === undefined ? undefined : unpackRefusal(message.error, createError))
    }
  }

  function learn(own: Stay, message: StateMessage): void {
    if (message.term < term || (own.inner !== undefined && message.term === term)) return
    follow(own)
    const isNext = message.term === term && message.count === count + 1
    const read = message.whole || isNext ? reader.read(message.state, message.messages) : undefined
    if (read === undefined) return own.channel?.post({ type: 'hello' } satisfies TabMessage)
    const isNew = message.term !== term
    term = message.term
    count = message.count
    image = read
    const next = { ...shownOf(read.state), status: message.status, connection: unpackConnection(message.connection, clock, createError) }
    show(withEqualsOf(snapshot, next))
    home.onShown(conversationId)
    if (isNew) calls.pass((id, what) => own.channel?.post({ type: 'call', term, id, call: what } satisfies TabMessage), whenIdle)
  }

  /** Here if this tab leads, else in the tab that does. */
  async function call(what: ChatCall): Promise<void> {
    const own = join()
    const { inner, moved } = own
    if (inner !== undefined && moved !== undefined) {
      // A run that goes on in another tab ends there.
      const hasMoved = await Promise.race([perform(inner, what, createError), moved.then(() => true)])
      return hasMoved === true ? whenIdle() : undefined
    }
    const { id, settled } = calls.add(what)
    if (term > 0) own.channel?.post({ type: 'call', term, id, call: what } satisfies TabMessage)
    return settled
  }

  function leave(): void {
    const own = stay
    stay = undefined
    void own?.inner?.disconnect()
    own?.seat?.leave(close(own))
  }

  async function close(own: Stay): Promise<void> {
    // Later in this turn: in the midst of a batch the cursors are ahead of the text.
    await Promise.resolve()
    const { inner, journal } = own
    if (inner !== undefined) show(inner.getSnapshot())
    journal?.tell(false)
    const saved = journal?.save()
    retire(own)
    own.channel?.close()
    await saved
  }

  /** Lets go of the chat itself; what it shows and knows stays. */
  function retire(own: Stay): void {
    own.journal?.stop()
    own.journal = undefined
    own.inner = undefined
    own.stopFollowing?.()
    own.onMoved?.()
  }

  return {
    conversationId,
    getSnapshot: () => snapshot,
    subscribe,
    sendMessage: (message, sending = {}) => call({ verb: 'sendMessage', message: packOutgoing(typeof message === 'string' ? { text: message } : message), options: sending }),
    edit: (messageId, message) => call({ verb: 'edit', messageId, message: typeof message === 'string' ? message : packOutgoing(message) }),
    regenerate: (messageId) => call({ verb: 'regenerate', messageId }),
    retry: (messageId) => call({ verb: 'retry', messageId }),
    stop: () => call({ verb: 'stop' }),
    async disconnect() {
      leave()
    },
    async resume() {
      if (stay !== undefined) return call({ verb: 'resume' })
      join()
    },
    discard(messageId): OutgoingMessage | undefined {
      const { inner } = join()
      if (inner !== undefined) return inner.discard(messageId)
      const unsent = snapshot.messages.find(({ id, status }) => id === messageId && status === 'not-sent')
      const taken = snapshot.queued.find(({ id }) => id === messageId)?.message ?? (unsent && outgoingOf(unsent))
      if (taken !== undefined) void call({ verb: 'discard', messageId })
      return taken
    },
    prepend(messages) {
      const { inner } = join()
      if (inner === undefined) void call({ verb: 'prepend', messages: messages.map(packMessage) })
      else inner.prepend(messages)
    },
    clearError: () => void call({ verb: 'clearError' }),
    async dispose() {
      const inner = stay?.inner
      const told = inner?.stop()
      leave()
      calls.dispose()
      await told
      await inner?.dispose()
    },
    save: async () => stay?.journal?.save(),
    async reload() {
      const own = stay
      const inner = own?.inner
      if (own !== undefined) retire(own)
      void inner?.dispose()
      image = NO_IMAGE
      saved = undefined
      reader.forget()
      show(shownOf(NO_IMAGE.state))
      await refresh()
      if (inner !== undefined && own !== undefined && stay === own && own.inner === undefined) begin(own)
    },
  }
}
