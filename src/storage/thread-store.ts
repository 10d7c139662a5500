import type { ChatStorage, StoragePorts } from './tabs/chat-storage.ts'
import { type StoredChat, createStoredChat } from './stored-chat.ts'
import { systemPorts } from './system-ports.ts'
import type { TabChannel } from './tabs/tab-message.ts'
import { type StoreMessage, type StoreNews, isStoreMessage } from './records/stored-fields.ts'
import type { StoredThread, DamagedRecord } from './records/thread-disk.ts'
import { isUnfinished, threadOf, titleOfRecord } from './records/read-record.ts'
import { createWriteBehind } from './disk/write-behind.ts'
import type { Persistence, ThreadsSnapshot, Threads } from '../state/thread.ts'
import type { Clock } from '../base/ports/clock.ts'
import { report } from '../base/ports/environment.ts'
import type { ChatMaker } from '../state/chat-options.ts'
import type { RemoteSource } from './remote-threads.ts'

const WRITE_AFTER_MS = 400

/** Write-behind buffer of drafts, by the id of their thread: a draft is written 400 ms after the first change, or by `write()`. */
interface Drafts {
  /** Undefined when what was set last is written already. */
  get(id: string): string | undefined
  set(id: string, text: string): void
  /** Forgets what is not written. */
  delete(id: string): void
  /** Writes everything now. */
  write(): void
  /** Forgets everything that is not written. */
  clear(): void
}

function createDrafts(clock: Clock, onWrite: (id: string, text: string) => void): Drafts {
  const drafts = new Map<string, string>()
  let cancel: (() => void) | undefined

  function clear(): void {
    cancel?.()
    cancel = undefined
    drafts.clear()
  }

  function write(): void {
    for (const [id, text] of drafts) onWrite(id, text)
    clear()
  }

  return {
    get: (id) => drafts.get(id),
    set(id, text) {
      drafts.set(id, text)
      cancel ??= clock.after(WRITE_AFTER_MS, write)
    },
    delete: (id) => void drafts.delete(id),
    write,
    clear,
  }
}

/** Schema version; part of the names of locks and channels. */
const VERSION = 2

const TEN_MINUTES_MS = 600_000

/**
 * Makes a store of conversations that outlive the page, the same in all tabs. Nothing is opened before it is used, so
 * that a server can make one too.
 *
 * @example
 * ```tsx
 * import { CapClient } from 'capstan'
 * import { Chat } from 'capstan/components'
 * import { AgentProvider } from 'capstan/react'
 * import { createThreadStore } from 'capstan/storage'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example' })
 * const store = createThreadStore({ name: 'river-desk' })
 * export const App = () => <AgentProvider client={client} store={store}><Chat /></AgentProvider>
 * ```
 */
export function createThreadStore({
  name,
  user = '',
  resumeWithinMs = TEN_MINUTES_MS,
  onDamaged = reportDamage,
  remote,
  ports: replaced,
}: ThreadStoreOptions): ThreadStore {
  const ports = guardPorts({ ...systemPorts(), ...replaced })
  const { clock, visibility } = ports
  const fullName = `capstan ${name} ${user}`
  const snapshots = createThreadSnapshots()
  const threads = new Map<string, StoredThread>()
  const chats = new Map<string, Set<StoredChat>>()
  let channel: TabChannel | undefined
  let generation: string | undefined
  let opening: Promise<void> | undefined
  let isLoaded = false
  let isOver = false
  const stops: (() => void)[] = []

  const disk = createWriteBehind({
    open: () => ports.openDisk(fullName, { onDeleted: signedOut }),
    onDamaged,
    resumeWithinMs,
    onPersistenceChange: onPersistenceChanged,
    onRefused,
    clock,
  })
  const drafts = createDrafts(clock, (id, draft) => void disk.write(id, { draft }))
  const storage: ChatStorage = {
    name: `${fullName} ${VERSION}`,
    ports,
    disk,
    resumeWithinMs,
    keep,
    onShown,
    isOver: () => isOver,
  }

  const link = remote?.link({ disk, threads, open, list: (found) => void (isOver || list(found, true)) })

  const publish = (): void => snapshots.publish(threads.values(), disk.persistence, isLoaded)

  /** Opens the disk and the channel to other tabs, once. */
  function open(): Promise<void> {
    opening ??= (async () => {
      channel = ports.openChannel?.(storage.name)
      channel?.onMessage((message) => (!isOver && isStoreMessage(message) ? hear(message) : undefined))
      stops.push(ports.onLeave(saveAll), visibility.subscribe(lookAround))
      await load()
    })()
    return opening
  }

  async function load(): Promise<void> {
    generation ??= await disk.generation()
    const kept = await disk.threads()
    for (const thread of kept) if (!threads.has(thread.id) && !isOver) threads.set(thread.id, thread)
    isLoaded = true
    publish()
  }

  function onPersistenceChanged(): void {
    publish()
    if (disk.persistence.where !== 'disk') return
    void tellOpened()
    // The list also gets the conversations that could not be read before.
    if (isLoaded) void load()
  }

  async function tellOpened(): Promise<void> {
    // Without a generation there is no group of other tabs to join.
    if ((await disk.generation()) !== undefined) for (const chat of each()) chat.diskOpened()
  }

  function lookAround(): void {
    if (visibility.isVisible()) {
      for (const id of chats.keys()) onShown(id)
      void disk.retry()
    } else saveAll()
  }

  function saveAll(): void {
    for (const chat of each()) void chat.save()
    drafts.write()
    void disk.retry()
  }

  function each(id?: string): readonly StoredChat[] {
    return [...chats].flatMap(([known, open]) => (id === undefined || known === id ? [...open] : []))
  }

  /** Puts threads on the list, here and in other tabs. */
  function list(changed: readonly StoredThread[], isOurs: boolean): void {
    for (const thread of changed) threads.set(thread.id, thread)
    if (isOurs) say({ type: 'threads', threads: changed })
    publish()
  }

  function say(news: StoreNews): void {
    channel?.post({ ...news, generation } satisfies StoreMessage)
  }

  function hear(message: StoreMessage): void {
    if (generation !== undefined && message.generation !== undefined && message.generation !== generation) return
    if (message.type === 'threads') list(message.threads, false)
    if (message.type === 'removed') {
      void reload(message.id, message.at)
      // Behind that: a chat that leads adds to what it has handed over before.
      disk.drop(message.id)
    }
    if (message.type === 'restored') void reload(message.id, clock.date())
    if (message.type === 'outdated') void lookUp(message.id)
    if (message.type === 'wiped') signedOut()
  }

  /** The row of a thread as it is on the disk now, after another tab has changed it. */
  async function lookUp(id: string): Promise<void> {
    const { thread } = await disk.read(id)
    if (isOver) return
    if (thread !== undefined) list([thread], false)
    else if (threads.delete(id)) publish()
  }

  async function reload(id: string, at: number): Promise<void> {
    await Promise.all([...each(id).map((chat) => chat.reload(at)), lookUp(id)])
  }

  /** A later leader has acquired the conversation, so its list entry replaces the one that this tab sent. */
  function onRefused(id: string, term: number | undefined): boolean {
    const isPassedOn = each(id)
      .map((chat) => chat.overtaken(term))
      .includes(true)
    void lookUp(id)
    say({ type: 'outdated', id })
    return isPassedOn
  }

  async function keep(...[id, state, status, change]: Parameters<ChatStorage['keep']>): Promise<boolean> {
    await open()
    const before = threads.get(id)
    if (state.messages.length === 0 && state.queued.length === 0) {
      if (before !== undefined) await takeOff(id, change.term)
      return true
    }
    const thread = threadOf({ id, before, state, status, isVisible: visibility.isVisible(), now: clock.date() })
    if (JSON.stringify(thread) !== JSON.stringify(before) && !isOver) list([thread], true)
    // With every state: a row received from another tab may not have been written.
    return disk.write(id, { ...change, thread })
  }

  function change(id: string, fields: Partial<StoredThread>): void {
    const before = threads.get(id)
    if (before === undefined || isOver) return
    const thread = { ...before, ...fields }
    list([thread], true)
    void disk.write(id, { thread })
  }

  function onShown(id: string): void {
    const known = threads.get(id)
    if (known?.unread && !isUnfinished(known.status) && visibility.isVisible()) markRead(id)
  }

  function markRead(id: string): void {
    if (threads.get(id)?.unread) change(id, { unread: false })
  }

  /**
   * Removes it from the list and the disk, then notifies the other tabs, which read the disk.
   * @param term of a leader whose conversation has become empty; absent when a user deletes it
   */
  async function takeOff(id: string, term?: number): Promise<void> {
    threads.delete(id)
    drafts.delete(id)
    publish()
    const at = clock.date()
    await disk.write(id, { removed: at, term })
    say({ type: 'removed', id, at })
  }

  /** Everything was deleted, and its user signed out. */
  function signedOut(): void {
    if (isOver) return
    isOver = true
    drafts.clear()
    threads.clear()
    disk.forget()
    for (const chat of each()) chat.signOut()
    publish()
  }

  return {
    getSnapshot: snapshots.get,
    subscribe(listener) {
      const unsubscribe = snapshots.subscribe(listener)
      void open()
      link?.start()
      return unsubscribe
    },
    open(options) {
      const own = createStoredChat(options, storage)
      const chat = link?.filled(own) ?? own
      const { conversationId } = options
      // Open chats are notified of deletions, and saved when the page is left.
      const known = chats.get(conversationId) ?? new Set()
      chats.set(conversationId, known.add(chat))
      return {
        ...chat,
        async resume() {
          void open().then(() => onShown(conversationId))
          return chat.resume()
        },
        async dispose() {
          known.delete(chat)
          if (known.size === 0 && chats.get(conversationId) === known) chats.delete(conversationId)
          return chat.dispose()
        },
      }
    },
    rename(id, title) {
      const own = title.trim()
      if (own !== '') link?.rename(id, own)
      if (own !== '') return change(id, { title: own, named: true })
      void disk.read(id).then((record) => change(id, { title: titleOfRecord(record), named: false }))
    },
    async remove(id) {
      await open()
      await Promise.all(each(id).map((chat) => chat.save()))
      const { thread, state, messages, draft } = await disk.read(id)
      await Promise.all([takeOff(id), ...each(id).map((chat) => chat.reload(clock.date()))])
      link?.remove(id)
      return async () => {
        if (thread === undefined || isOver) return
        list([thread], true)
        const { term } = await disk.acquireTerm(id, state?.term ?? 0)
        await disk.write(id, { thread, state: state && { ...state, term }, messages, draft, term })
        say({ type: 'restored', id })
        await Promise.all(each(id).map((chat) => chat.reload(clock.date())))
      }
    },
    markRead,
    readDraft: async (id) => drafts.get(id) ?? (await disk.read(id)).draft,
    writeDraft(id, text) {
      if (isOver) return
      drafts.set(id, text)
      void open()
    },
    async wipe() {
      say({ type: 'wiped' })
      const wiped = disk.wipe()
      signedOut()
      await wiped
    },
    close() {
      saveAll()
      for (const stop of stops.splice(0)) stop()
      channel?.close()
      disk.close()
    },
  }
}

/**
 * Ports that do not throw where a browser blocks them, as it does in a sandboxed frame or where a user forbids sites to
 * keep data. Without a channel, tabs do not wait for the lock either: each tab works alone, as without Web Locks.
 */
function guardPorts(ports: StoragePorts): StoragePorts {
  const { openChannel, onLeave } = ports
  return {
    ...ports,
    openChannel(name) {
      try {
        return openChannel?.(name)
      } catch {
        return undefined
      }
    },
    onLeave(listener) {
      try {
        return onLeave(listener)
      } catch {
        return () => {}
      }
    },
  }
}

/** The list of threads as one immutable snapshot, newest first: a new one only when something in it changed. */
interface ThreadSnapshots {
  get(): ThreadsSnapshot
  subscribe(listener: () => void): () => void
  publish(threads: Iterable<StoredThread>, persistence: Persistence, isLoaded: boolean): void
}

function createThreadSnapshots(): ThreadSnapshots {
  const listeners = new Set<() => void>()
  let snapshot: ThreadsSnapshot = { status: 'loading', threads: [], persistence: { where: 'opening' } }
  return {
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish(threads, persistence, isLoaded) {
      const sorted = [...threads].toSorted((left, right) => right.updatedAt - left.updatedAt)
      const before = snapshot.threads
      const isSame = sorted.length === before.length && sorted.every((thread, index) => thread === before[index])
      const status = isLoaded ? 'ready' : 'loading'
      if (isSame && persistence === snapshot.persistence && status === snapshot.status) return
      snapshot = { status, persistence, threads: isSame ? before : sorted }
      for (const listener of [...listeners]) listener()
    },
  }
}

export interface ThreadStoreOptions {
  /** The app's name: stores of other names, on the same origin, are left alone. */
  readonly name: string
  /**
   * Whose threads they are, by an id that is not a secret: it becomes part of the database's name. Each user has a
   * database of their own.
   *
   * @default ''
   */
  readonly user?: string | undefined
  /**
   * How long after a page was left its run is resumed automatically, in milliseconds. CAP servers keep an
   * answer as long as the default.
   *
   * @default 600_000
   */
  readonly resumeWithinMs?: number | undefined
  /**
   * Called with each record on the disk that was damaged, once per page, with the record as it was there. What is left of
   * the conversation is shown and continues: see `docs/persistence.md`. An error it throws is reported like one of an event handler.
   * @default reports an error that names conversation and problem, without their words, as `reportError` does
   */
  readonly onDamaged?: ((damaged: DamagedRecord) => void) | undefined
  /**
   * Conversations that a server keeps, see `remoteThreads`: those that are not on this device are on the list, and their messages are
   * fetched when one is opened. Renaming and deleting reach the server too; restoring a deleted thread restores it on this device.
   * Absent: the list has what is on this device.
   */
  readonly remote?: RemoteSource | undefined
  /** Other ways to keep things and to talk to other tabs: replaced in tests. @default the platform's */
  readonly ports?: Partial<StoragePorts> | undefined
}

/** Conversations that outlive the page, the same in all tabs. Give it to `AgentProvider` or `useCapChat` as `store`. */
export interface ThreadStore extends Threads, ChatMaker {
  /**
   * The user signs out: ends every run, deletes everything this store saved and notifies the other tabs, where the same
   * happens. Resolves when it is gone. From then on it keeps nothing; another sign-in makes another store.
   */
  wipe(): Promise<void>
  /** Writes what is not written yet and lets go of the database. */
  close(): void
}

/** The default of `onDamaged`. */
function reportDamage({ kind, threadId, problem }: DamagedRecord): void {
  report(
    new Error(
      `A record of conversation ${threadId} on this device was damaged: ${kind} (${problem}). It was left out or repaired. Pass onDamaged to createThreadStore to look at it.`,
    ),
  )
}
